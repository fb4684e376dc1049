import type { Program } from '../program/parse-template.ts';
import type { Schema } from './conditions.ts';
import type { DerivedField } from './fields.ts';
import { comparisonsOf, Requirements } from './requirements.ts';

const scalar = ['string', 'number', 'boolean'];

const typesOf = ({ type, isKnown, isMeasured, wider }: DerivedField): string[] => {
  if (isMeasured && type !== 'object') return measuredTypesOf(type, isKnown);
  if (type === 'date') return ['string', 'number'];
  // Nothing is known of it but that it is read as text, as any plain value can be.
  return type === 'string' && !isKnown ? [...scalar, ...wider] : [type];
};

/** Types of a value whose length is read: a number has none, also where it is a date. */
const measuredTypesOf = (type: DerivedField['type'], isKnown: boolean): string[] => {
  if (isKnown) return [type === 'array' ? 'array' : 'string'];
  return ['array', 'string'];
};

/** An optional value may as well be null, which is read like a missing one. */
const nullable = (types: string[], mayBeNull: boolean): string | string[] => {
  const all = mayBeNull ? [...types, 'null'] : types;
  return all.length === 1 ? (all[0] ?? 'null') : all;
};

const annotations = ({ label, description, example }: DerivedField): Schema => ({
  title: label,
  ...(description !== undefined && { description }),
  ...(example !== undefined && { examples: [example] }),
});

/** A list in the place of a plain value holds plain values, unless an object may stand there too. */
const plainItems = ({ wider }: DerivedField, types: readonly string[]): Schema =>
  types.includes('array') && wider.includes('array') && !wider.includes('object')
    ? { items: { type: [...scalar, 'null'] } }
    : {};

const schemaOf = (field: DerivedField, mayBeNull: boolean): Schema => ({
  ...annotations(field),
  type: nullable(typesOf(field), mayBeNull),
  ...plainItems(field, typesOf(field)),
  ...(field.type === 'object'
    ? objectParts(field)
    : field.items && { items: schemaOf(field.items, !isItemRequired(field.items)) }),
  ...(field.least > 0 && { minItems: field.least }),
});

/** An item that is read itself must be there; one of which fields are read must be what has fields. */
const isItemRequired = (item: DerivedField): boolean => item.required || item.fields !== undefined;

type ObjectParts = Pick<DerivedField, 'fields' | 'items'>;

const objectParts = ({ fields = [], items }: ObjectParts): Schema => {
  const required = fields.filter((field) => field.required).map((field) => field.name);
  // A loop visits every value, those that are read by their keys as well.
  const mayBeNull = items === undefined || !isItemRequired(items);
  return {
    properties: Object.fromEntries(
      fields.map((field) => [field.name, schemaOf(field, mayBeNull && !field.required)]),
    ),
    ...(required.length > 0 && { required }),
    ...(items && { additionalProperties: items.isUnread ? annotations(items) : schemaOf(items, mayBeNull) }),
  };
};

/**
 * Comparisons in all requirements of a schema. Each requirement repeats those of the conditions around it, so a template
 * of a few pages could have a schema of a hundred megabytes.
 */
const maxComparisons = 5_000;

/** The requirements of the template's conditions, each once, and how many values have none since the schema is full. */
const conditional = (program: Program, parts: ObjectParts): { allOf: Schema[]; leftOut: number } => {
  const requirements = new Requirements(parts);
  const texts = new Set<string>();
  let comparisons = 0;
  let leftOut = 0;
  for (const read of program.reads) {
    if (!read.noticed || read.required || read.guards === undefined) continue;
    comparisons += comparisonsOf(read);
    if (comparisons > maxComparisons) leftOut += 1;
    else texts.add(JSON.stringify(requirements.of(read)));
  }
  return { allOf: [...texts].map((text): Schema => JSON.parse(text)), leftOut };
};

/**
 * The JSON Schema 2020-12 of what a template reads. Data that is valid against it leaves no value missing, wherever the
 * template's conditions lead; more than the template reads may be there. A warning says where conditions are so many that
 * the schema leaves some out.
 */
export const inputJsonSchemaOf = (
  program: Program,
  parts: ObjectParts,
): { schema: Schema; warnings: string[] } => {
  const { allOf, leftOut } = conditional(program, parts);
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    ...objectParts(parts),
    ...(allOf.length > 0 && { allOf }),
  };
  const story = `The conditions around ${leftOut} values are too many for the schema, which does not require these values.`;
  return { schema, warnings: leftOut > 0 ? [story] : [] };
};
