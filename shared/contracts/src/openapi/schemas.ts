import { z } from 'zod';

/** A JSON Schema or any other object of the document. */
export type JsonObject = Record<string, unknown>;

/** True for a JSON object, and not for a list. */
export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const letters = String.raw`\p{L}\p{N}`;

/**
 * A pattern that other languages read too: properties of Unicode, which few know, become ranges. A class of letters and
 * digits becomes all but the other signs of ASCII, which takes a little more; the service itself stays exact.
 */
export const portablePattern = (pattern: string): string =>
  pattern
    .replaceAll(`[${letters}_$-]`, String.raw`[^\x00-#%-,./:-@\[-^\x60{-\xa0]`)
    .replaceAll(`[${letters}_$]`, String.raw`[^\x00-#%-/:-@\[-^\x60{-\xa0]`)
    .replaceAll(String.raw`\p{Cc}`, String.raw`\x00-\x1f\x7f-\x9f`);

/** A text of a schema as the document has it. */
const relocatedText = (key: string, text: string): string => {
  if (key === '$ref') return text.replace('#/$defs/', '#/components/schemas/');
  return key === 'pattern' ? portablePattern(text) : text;
};

/** Rewrites references to definitions into references to components, and patterns into portable ones. */
const relocate = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(relocate);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      typeof inner === 'string' ? relocatedText(key, inner) : relocate(inner),
    ]),
  );
};

/** Meta `json` replaces the schema; only the description is kept. */
const replaceWith = (schema: JsonObject, json: JsonObject): void => {
  for (const key of Object.keys(schema)) if (key !== 'description') delete schema[key];
  Object.assign(schema, json);
};

/** Whether replies may have keys that are not described: clients are told that they may, tests that they may not. */
export type Replies = 'open' | 'closed';

/** Removes keywords that follow from the type or the format. */
const simplify = (schema: JsonObject): void => {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (['date', 'date-time', 'uuid'].includes(String(schema.format))) delete schema.pattern;
  if (schema.format === 'date-time') delete schema.example;
  // Keys of JSON are texts.
  delete schema.propertyNames;
};

/**
 * Collects the named schemas of a document while it turns zod schemas into JSON Schema 2020-12. Named ones (meta
 * `id`) become components; meta `json` says what a schema is where zod cannot tell.
 */
export class SchemaCollector {
  readonly components: JsonObject = {};
  readonly #replies: Replies;

  constructor(replies: Replies) {
    this.#replies = replies;
  }

  /** JSON Schema of what is accepted (`input`) or answered (`output`). */
  convert(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const converted = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        const meta = z.globalRegistry.get(zodSchema);
        if (isJsonObject(meta?.json)) replaceWith(jsonSchema, meta.json);
        simplify(jsonSchema);
        if (io === 'output' && this.#replies === 'open' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
        delete jsonSchema.json;
        delete jsonSchema.freeForm;
        delete jsonSchema.isDemanded;
        delete jsonSchema.id;
      },
    });
    const { $defs, $schema: _dialect, ...rest } = converted;
    for (const [name, definition] of Object.entries($defs ?? {}))
      this.components[name] ??= relocate(definition);
    const relocated = relocate(rest);
    return isJsonObject(relocated) ? relocated : {};
  }
}
