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

/** An object without some of its keys. */
export const without = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

/** An object with some of its keys alone. */
export const only = (object: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([key]) => keys.includes(key)));

/** The JSON type of a value, for messages. */
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
 * Whether a JSON value is nested no deeper than `levels`. Goes no deeper itself, so that no depth can exhaust the stack,
 * and says how many values a list or object holds before it looks at them, so that the walk can be charged for.
 */
export const isWithinDepth = (
  value: unknown,
  levels: number,
  visit: (values: number) => void = () => undefined,
): boolean => {
  if (typeof value !== 'object' || value === null) return true;
  const children: readonly unknown[] = isList(value) ? value : Object.values(value);
  visit(children.length);
  if (children.length === 0) return true;
  return levels > 0 && children.every((child) => isWithinDepth(child, levels - 1, visit));
};

/** Freezes a JSON value with everything inside, so that runs may share it. The value is no deeper than a template may be. */
export const freezeDeep = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const child of Object.values(value)) freezeDeep(child);
  return Object.freeze(value);
};

/** The same text for values that are equal, whatever the order of their keys. */
export const fingerprint = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
