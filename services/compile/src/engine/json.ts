/** A JSON object whose keys are not known beforehand. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object (no list, no null). */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is a list. Unlike `Array.isArray` it leaves the items unknown. */
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** A key's own value; inherited names like `constructor` are plain misses. */
export const ownValue = (object: JsonObject, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** What JSON calls a value, for messages to people. */
export const jsonTypeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return typeof value === 'undefined' ? 'nothing' : `a ${typeof value}`;
};

/** One step of an RFC 6901 pointer. */
export const pointerStep = (key: string | number): string =>
  typeof key === 'number' || !/[~/]/.test(key)
    ? `/${key}`
    : `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/**
 * Whether a JSON value is nested no deeper than `levels`. Walks level by level, so that no depth can exhaust the stack,
 * and says how many values a list or object holds before it looks at them, so that the walk can be charged for.
 */
export const isWithinDepth = (
  value: unknown,
  levels: number,
  visit: (values: number) => void = () => undefined,
): boolean => {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return false;
    const next: unknown[] = [];
    for (const entry of level) {
      if (typeof entry !== 'object' || entry === null) continue;
      const children: unknown[] = Object.values(entry);
      visit(children.length);
      for (const child of children) next.push(child);
    }
    level = next;
  }
  return true;
};

/** Freezes a JSON value with everything inside, so that runs may share it. The value is no deeper than a template may be. */
export const freezeDeep = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const child of Object.values(value)) freezeDeep(child);
  return Object.freeze(value);
};
