type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const plainPath = /^[\p{L}_$][\p{L}\p{N}_$-]*(?:\.[\p{L}\p{N}_$-]+)*$/u;

/** Names that would reach beyond the object's own properties. */
const isReserved = (name: string): boolean => name === '__proto__';

const put = (into: JsonObject, [name = '', ...rest]: readonly string[], value: unknown): JsonObject => {
  if (isReserved(name)) return into;
  const before = Object.hasOwn(into, name) ? into[name] : undefined;
  if (rest.length === 0) return { ...into, [name]: value };
  return { ...into, [name]: put(isObject(before) ? before : {}, rest, value) };
};

/** The stored values of a message, restored to the shape of its data: `order.id` is in `order` again. */
export const nestKept = (kept: Readonly<JsonObject>): JsonObject =>
  Object.keys(kept)
    .filter((path) => plainPath.test(path))
    // A longer path may read inside a value stored under a shorter one.
    .sort((one, other) => one.length - other.length)
    .reduce<JsonObject>((data, path) => put(data, path.split('.'), kept[path]), {});
