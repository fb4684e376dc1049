/** A JSON Schema. */
export type JsonSchema = Record<string, unknown>;

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keywords whose text an organization has written. */
const wordsOfAuthors = ['$schema', 'title', 'description', 'examples', 'default'];

/** A name or a value that can hold no sentence. */
const isPlain = (text: unknown): boolean => typeof text !== 'string' || /^[\w.:-]{1,40}$/.test(text);

/** Keywords of values, and of schemas below one. */
const values = new Set(['const', 'enum']);
const named = new Set(['properties', 'dependentSchemas']);

/**
 * Whether nothing in a schema could be read as a sentence: neither a name of a value nor a value that it is compared with.
 */
const isPlainSchema = (schema: unknown): boolean => {
  if (Array.isArray(schema)) return schema.every(isPlainSchema);
  if (!isSchema(schema)) return isPlain(schema);
  return Object.entries(schema).every(([keyword, below]) =>
    named.has(keyword) && isSchema(below)
      ? Object.entries(below).every(([name, it]) => isPlain(name) && isPlainSchema(it))
      : values.has(keyword)
        ? [below].flat().every(isPlain)
        : isPlainSchema(below),
  );
};

const withoutWords = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withoutWords);
  if (!isSchema(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !wordsOfAuthors.includes(keyword))
      .map(([keyword, below]) => [
        keyword,
        named.has(keyword) && isSchema(below)
          ? Object.fromEntries(Object.entries(below).map(([name, it]) => [name, withoutWords(it)]))
          : values.has(keyword)
            ? below
            : withoutWords(below),
      ]),
  );
};

/**
 * The schema of a template's data for a list of tools: what it requires, without words that an organization has written.
 * Conditions are left out where they compare with a text, and all of it is left open where a name is not plain: the API
 * checks the data anyway.
 */
export const plainSchema = (schema: JsonSchema): JsonSchema[] => {
  const { allOf, ...unconditional } = schema;
  return [schema, unconditional]
    .map(withoutWords)
    .filter((it) => isSchema(it))
    .filter(isPlainSchema);
};
