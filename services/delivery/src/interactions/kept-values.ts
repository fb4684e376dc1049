import { readPath } from '@stanza/engine/path';

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Names that would reach beyond the object's own properties. */
const isReserved = (name: string): boolean => name === '__proto__';

const put = (into: JsonObject, [name = '', ...rest]: readonly string[], value: unknown): JsonObject => {
  if (isReserved(name)) return into;
  const before = Object.hasOwn(into, name) ? into[name] : undefined;
  if (rest.length === 0) return { ...into, [name]: value };
  // A list or a text is stored whole, and its length and its items are in it.
  if (before !== undefined && before !== null && !isObject(before)) return into;
  return { ...into, [name]: put(isObject(before) ? before : {}, rest, value) };
};

/**
 * The keys of a path that starts at the top of the data; undefined where a loop gave its value. An item of a list is
 * read by its number, and an object that has the number as a key answers as the list does.
 */
const keysOf = (path: string): string[] | undefined => {
  const { steps = [], isQuoted = false } = readPath(path) ?? {};
  const keys = steps.filter((step) => step !== null).map(String);
  const isOfLoop = !isQuoted && keys[0] === 'this';
  return isOfLoop || keys.length === 0 || keys.length < steps.length ? undefined : keys;
};

/** The stored values of a message, restored to the shape of its data: `order.id` is in `order` again. */
export const nestKept = (kept: Readonly<JsonObject>): JsonObject =>
  Object.entries(kept)
    .flatMap(([path, value]) => {
      const keys = keysOf(path);
      return keys === undefined ? [] : [{ keys, value }];
    })
    // A longer path may read inside a value stored under a shorter one.
    .sort((one, other) => one.keys.length - other.keys.length)
    .reduce<JsonObject>((data, { keys, value }) => put(data, keys, value), {});
