/** A JSON object whose keys are not known beforehand. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object (no list, no null). */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is a list. Unlike `Array.isArray` it leaves the items unknown. */
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** One step of an RFC 6901 pointer. */
export const pointerStep = (key: string | number): string =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
