/** A JSON object whose keys are not known beforehand. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a value is a list; unlike `Array.isArray` it leaves the items unknown. */
export const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** What a text holds as JSON, or what is wrong with it. */
export const readJson = (text: string): { value: unknown; problem?: undefined } | { problem: string } => {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}` };
  }
};
