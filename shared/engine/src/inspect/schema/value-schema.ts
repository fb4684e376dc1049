import type { JsonObject } from '../../json.ts';
import { limitOf } from '../../limits.ts';
import type { Description, ShapeDescription } from '../../parse/description.ts';

/** A list of a template, as described. */
export type ListDescription = Extract<Description, { kind: 'list' }>;

/** Gives a reference to the schema of a list, which is made once. */
export type ListReference = (list: ListDescription) => JsonObject;

/** A placeholder alone, where a value that is no text may come from the data. */
export const placeholder: JsonObject = { $ref: '#/$defs/placeholder' };

/** A reference to the schema of an entry of a table. */
export const entryReference = (table: string, type: string): JsonObject => ({
  $ref: `#/$defs/${table}.${type}`,
});

const orPlaceholder = (schema: JsonObject): JsonObject => ({ anyOf: [schema, placeholder] });

const withPlaceholder: JsonObject = { type: 'string', pattern: '\\{\\{' };

const exactText = (limit: Parameters<typeof limitOf>[0], pattern?: string): JsonObject => {
  const { max } = limitOf(limit);
  const written = { type: 'string', maxLength: max };
  if (pattern === undefined) return { anyOf: [written, withPlaceholder] };
  // An empty text counts as left out.
  return { anyOf: [{ ...written, pattern }, { const: '' }, withPlaceholder] };
};

const keysOf = (rule: JsonObject, name: string): string[] => {
  const keys = rule[name];
  return Array.isArray(keys) ? keys.map(String) : [];
};

const holding = (...keys: readonly string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(keys.map((key) => [key, true])),
  required: keys,
});

/** The rules between the keys of an object of this shape. */
const ruleSchema = (rule: JsonObject): JsonObject[] => {
  const some = keysOf(rule, 'at_least_one_of');
  const one = keysOf(rule, 'exactly_one_of');
  const most = keysOf(rule, 'at_most_one_of');
  return [
    ...(some.length > 0 ? [{ anyOf: some.map((key) => holding(key)) }] : []),
    ...(one.length > 0 ? [{ oneOf: one.map((key) => holding(key)) }] : []),
    ...(most.length > 0 ? [{ not: holding(...most) }] : []),
  ];
};

/** The schema of an object with these keys and no others. */
export const objectSchema = (
  { fields, rules = [] }: ShapeDescription,
  listReference: ListReference,
  type?: string,
): JsonObject => {
  const entries = Object.entries(fields);
  const held = rules.flatMap(ruleSchema);
  const required = entries.filter(([, field]) => field.required).map(([key]) => key);
  return {
    type: 'object',
    properties: {
      ...(type !== undefined && { type: { const: type } }),
      ...Object.fromEntries(entries.map(([key, field]) => [key, valueSchema(field, listReference)])),
    },
    required: type === undefined ? required : ['type', ...required],
    additionalProperties: false,
    ...(held.length > 0 && { allOf: held }),
  };
};

const integerSchema = ({ limit }: Extract<Description, { kind: 'integer' }>): JsonObject => {
  const { min = 0, max } = limit === undefined ? { max: undefined } : limitOf(limit);
  return orPlaceholder({ type: 'integer', minimum: min, ...(max !== undefined && { maximum: max }) });
};

/** The schema of a value of a template, placeholders and directives included. */
export const valueSchema = (given: Description, listReference: ListReference): JsonObject => {
  switch (given.kind) {
    case 'text':
      return { type: 'string', description: `cut at the limit ${given.limit}` };
    case 'exact':
      return exactText(given.limit, given.pattern);
    case 'id':
      return { anyOf: [exactText(given.limit), { type: 'null' }] };
    case 'boolean':
      return orPlaceholder({ type: 'boolean' });
    case 'choice':
      return given.written ? { enum: given.values } : orPlaceholder({ enum: given.values });
    case 'integer':
      return integerSchema(given);
    case 'number':
      return orPlaceholder({
        type: 'number',
        ...(given.above !== undefined && { exclusiveMinimum: given.above }),
      });
    case 'list':
      return listReference(given);
    case 'plain_list':
      return {
        type: 'array',
        items: valueSchema(given.of, listReference),
        minItems: 1,
        maxItems: limitOf(given.limit).max,
      };
    case 'one_of':
      return { anyOf: given.types.map((type) => entryReference(given.table, type)) };
    case 'variants':
      return {
        anyOf: Object.entries(given.variants).map(([type, shape]) =>
          objectSchema(shape, listReference, type),
        ),
      };
    case 'object':
      return objectSchema(given, listReference);
    case 'nullable':
      return { anyOf: [{ type: 'null' }, valueSchema(given.of, listReference)] };
    case 'blocks':
      return { $ref: '#/$defs/message_blocks' };
    case 'item_text':
      return withPlaceholder;
    case 'string':
    case 'path':
    case 'name':
      return { type: 'string', minLength: 1 };
    case 'type':
      return { type: 'string' };
    case 'count':
      return { type: 'integer', minimum: 1 };
    case 'json':
      return {};
  }
};
