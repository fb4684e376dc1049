import fc from 'fast-check';
import type { JsonSchema } from '../kit/openapi.ts';
import { hostile } from './hostile.ts';
import { isObject } from './values.ts';

/** Nesting beyond which only what must be there is generated. */
const deepest = 6;

/** What generated values refer to: ids that exist, by the key that holds them. */
export type Ids = Readonly<Record<string, string>>;

/** What values are generated with besides their schema. */
export interface Sources {
  ids: Ids;
  /** The schema that a reference stands for; any other one as it is. */
  resolve: (schema: JsonSchema) => JsonSchema;
  /** Generates what the schemas of some keys say too little about, by key. */
  special?: Readonly<Record<string, fc.Arbitrary<unknown>>>;
}

interface Place {
  key: string;
  depth: number;
}

type Draw = fc.GeneratorValue;

const numberIn = (value: unknown, otherwise: number): number =>
  typeof value === 'number' ? value : otherwise;

const isTrue = (draw: Draw): boolean => draw(fc.boolean);

const pick = <T>(draw: Draw, from: readonly T[]): T => {
  const [first] = from;
  if (first === undefined) throw new Error('there is nothing to pick from');
  return from[draw(fc.nat, { max: from.length - 1 })] ?? first;
};

const times = () => fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true });

/** Some patterns look ahead, which cannot be generated; those are of placeholders. */
const matching = (draw: Draw, pattern: string): string =>
  pattern.includes('(?') ? '{{service}}' : draw(fc.stringMatching, new RegExp(pattern, 'u'));

const drawText = (draw: Draw, schema: JsonSchema): string => {
  const { format, pattern, minLength, maxLength } = schema;
  if (format === 'uuid') return draw(fc.uuid);
  if (format === 'date-time') return draw(times).toISOString();
  if (format === 'email') return draw(fc.emailAddress);
  if (typeof pattern === 'string') return matching(draw, pattern);
  const least = numberIn(minLength, 0);
  const most = Math.min(numberIn(maxLength, 60), least + 60);
  if (most >= 20 && draw(fc.nat, { max: 3 }) === 0) {
    return pick(draw, ['{{service}}', '{{a.b[0].c | upper}}', '{{#if x}}y{{/if}}', '*bold* <!here>']);
  }
  return draw(fc.string, { unit: 'grapheme', minLength: least, maxLength: most });
};

const branchesOf = (schema: JsonSchema): JsonSchema[] =>
  [schema.anyOf, schema.oneOf].flatMap((it) => (Array.isArray(it) ? it.filter(isObject) : []));

/** Keys of which one is required, where the choices differ only in that. */
const choiceOf = (schema: JsonSchema): string[] =>
  branchesOf(schema).flatMap(({ required, properties }) =>
    Array.isArray(required) && properties === undefined ? required.map(String) : [],
  );

const drawObject = (draw: Draw, schema: JsonSchema, sources: Sources, { depth }: Place): unknown => {
  const { properties } = schema;
  if (!isObject(properties)) {
    const keys = fc.constantFrom('service', 'version', 'items', 'author', 'n');
    return depth < deepest ? draw(fc.dictionary, keys, hostile(), { maxKeys: 4 }) : {};
  }
  const choice = choiceOf(schema);
  const one = choice.length > 0 ? pick(draw, choice) : undefined;
  const required = Array.isArray(schema.required) ? [...schema.required, one] : [one];
  const made: Record<string, unknown> = {};
  for (const [key, property] of Object.entries(properties)) {
    const isWanted = required.includes(key) || (!choice.includes(key) && depth < deepest && isTrue(draw));
    if (isWanted && isObject(property))
      made[key] = drawValue(draw, property, sources, { key, depth: depth + 1 });
  }
  return made;
};

const drawList = (draw: Draw, schema: JsonSchema, sources: Sources, { depth }: Place): unknown[] => {
  const { items } = schema;
  const least = numberIn(schema.minItems, 0);
  const most = depth < deepest ? Math.min(numberIn(schema.maxItems, 3), least + 3) : least;
  const length = draw(fc.integer, { min: least, max: Math.max(least, most) });
  const place = { key: '', depth: depth + 1 };
  return Array.from({ length }, () =>
    isObject(items) ? drawValue(draw, items, sources, place) : draw(hostile),
  );
};

const drawNumber = (draw: Draw, schema: JsonSchema): number => {
  const min = numberIn(schema.minimum, 0);
  return draw(fc.integer, { min, max: Math.max(min, numberIn(schema.maximum, 1_000)) });
};

const drawTyped = (draw: Draw, schema: JsonSchema, sources: Sources, place: Place): unknown => {
  const type: unknown = Array.isArray(schema.type) ? pick<unknown>(draw, schema.type) : schema.type;
  if (type === 'null') return null;
  if (type === 'string') return drawText(draw, schema);
  if (type === 'boolean') return isTrue(draw);
  if (type === 'integer' || type === 'number') return drawNumber(draw, schema);
  if (type === 'array') return drawList(draw, schema, sources, place);
  return type === 'object' || isObject(schema.properties)
    ? drawObject(draw, schema, sources, place)
    : draw(hostile);
};

/** How much a schema asks for; references may lead back to it. */
const costOf = (schema: JsonSchema): number => {
  const text = JSON.stringify(schema);
  return text.length + 10_000 * (text.split('"$ref"').length - 1);
};

const drawValue = (draw: Draw, schema: JsonSchema, sources: Sources, place: Place): unknown => {
  const whole = sources.resolve(schema);
  const special = sources.special?.[place.key];
  if (special) return draw(() => special);
  const known = sources.ids[place.key];
  if (known !== undefined && draw(fc.nat, { max: 4 }) > 0) return known;
  if (whole.const !== undefined) return whole.const;
  if (Array.isArray(whole.enum)) return pick<unknown>(draw, whole.enum);
  const branches = branchesOf(whole);
  if (whole.properties !== undefined || branches.length === 0) return drawTyped(draw, whole, sources, place);
  const sorted = branches.toSorted((one, other) => costOf(one) - costOf(other));
  const chosen = place.depth < deepest ? pick(draw, branches) : (sorted[0] ?? whole);
  return drawValue(draw, chosen, sources, place);
};

/** Values that a schema describes; where it names ids, those that exist as well as others. */
export const valueFor = (schema: JsonSchema, sources: Sources, key = ''): fc.Arbitrary<unknown> =>
  fc.gen().map((draw) => drawValue(draw, schema, sources, { key, depth: 0 }));
