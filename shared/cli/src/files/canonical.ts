import { createHash } from 'node:crypto';

/** JSON, as it is read. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is an object of JSON. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key): [string, unknown] => [key, sorted(value[key])]),
  );
};

/** The same text for the same JSON, in whatever order its keys stand. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'null';

/** Names JSON by what is in it. */
export const hashOf = (value: unknown): string =>
  createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, 32);

/** Whether two values are the same JSON. */
export const isSame = (one: unknown, other: unknown): boolean => canonicalJson(one) === canonicalJson(other);

/** The text of a file of JSON. */
export const fileText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
