import { operators } from '../../expressions/conditions/operators.ts';
import type { JsonObject } from '../../json.ts';
import { pluralForms } from '../../languages/texts.ts';
import { limits } from '../../limits.ts';

const condition: JsonObject = { $ref: '#/$defs/condition' };
const text: JsonObject = { type: 'string', minLength: 1 };

const operatorsThat = (takesValue: boolean): string[] =>
  Object.entries(operators)
    .filter(([, operator]) => operator.takesValue === takesValue)
    .map(([name]) => name);

const closed = (properties: JsonObject, required: readonly string[]): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** The schema of a condition. */
export const conditionSchema: JsonObject = {
  anyOf: [
    closed({ path: text, operator: { enum: operatorsThat(false) } }, ['path']),
    closed({ path: text, operator: { enum: operatorsThat(true) }, value: {} }, ['path', 'operator', 'value']),
    closed({ all: { type: 'array', items: condition } }, ['all']),
    closed({ any: { type: 'array', items: condition } }, ['any']),
    closed({ not: condition }, ['not']),
  ],
};

/**
 * The schema of a directive in a list.
 *
 * @param entry the schema of an entry of that list, which may be a directive again
 */
export const directiveSchema = (entry: JsonObject): JsonObject => {
  const children: JsonObject = { type: 'array', items: entry };
  const head = { type: { const: 'directive' }, id: { type: ['string', 'null'] } };
  const each = {
    ...head,
    directive: { const: '#each' },
    path: text,
    as: text,
    children,
    max_items: { type: 'integer', minimum: 1 },
    overflow_text: { type: 'string' },
    empty: children,
  };
  const either = { ...head, directive: { const: '#if' }, condition, children, else: children };
  const group = { ...head, directive: { const: '#block' }, name: { type: 'string' }, children };
  const names = {
    type: 'object',
    additionalProperties: { anyOf: [text, closed({ value: {} }, ['value'])] },
  };
  const version = { type: 'integer', minimum: 1 };
  const partial = closed({ key: text, version }, ['key', 'version']);
  const given = { ...head, directive: { const: '#with' }, with: names, partial, children };
  const used = { ...head, directive: { const: '#use' }, partial: text, version, with: names };
  const forms = Object.fromEntries(pluralForms.map((form) => [form, { type: 'string' }]));
  const said = { anyOf: [{ type: 'string' }, closed({ plural: text, ...forms }, ['plural', 'other'])] };
  const translations = {
    type: 'object',
    minProperties: 1,
    maxProperties: limits['translations.languages'].max,
    additionalProperties: { type: 'object', additionalProperties: said },
  };
  const texts = { ...head, directive: { const: '#translations' }, translations };
  return {
    anyOf: [
      closed(each, ['type', 'directive', 'path', 'children']),
      closed(either, ['type', 'directive', 'condition', 'children']),
      closed(group, ['type', 'directive', 'children']),
      closed(given, ['type', 'directive', 'with', 'children']),
      closed(used, ['type', 'directive', 'partial']),
      closed(texts, ['type', 'directive', 'translations']),
    ],
  };
};
