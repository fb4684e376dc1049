import { isList, isObject } from '../../json.ts';
import type { Schema } from '../conditions.ts';
import { holds, literalsIn, maxSized, sizesIn } from './holds.ts';
import type { Shape } from './shape.ts';

/** A part of a type: what is at the end of some steps. */
export interface Leaf {
  readonly path: readonly string[];
  readonly types: readonly string[];
  /** It may be missing. */
  readonly isOptional: boolean;
}

/** Parts that hold together. */
export type Alternative = readonly Leaf[];

const never: readonly Alternative[] = [];

const emptyList = 'readonly []';

/** Types that TypeScript can tell apart, each with sample values: a condition must hold for all or for none. */
const candidates: readonly { type: string; of: string; values: readonly unknown[] }[] = [
  { type: 'true', of: 'boolean', values: [true] },
  { type: 'false', of: 'boolean', values: [false] },
  { type: 'number', of: 'number', values: [0, 1, -1.5] },
  { type: 'string', of: 'string', values: ['', 'x'] },
  { type: emptyList, of: 'array', values: [[]] },
  { type: 'readonly [unknown, ...unknown[]]', of: 'array', values: [[0], [{}]] },
  { type: 'Record<string, unknown>', of: 'object', values: [{}, { x: 0 }] },
];

const isPlain = (value: unknown): boolean => typeof value !== 'object' && value !== undefined;

/** Lists and texts as long as a condition names, and one longer or shorter; undefined where they are too long to try. */
const sizedValues = (schema: Schema): unknown[] | undefined => {
  const sizes = [...new Set(sizesIn(schema).flatMap((size) => [size - 1, size, size + 1]))].filter(
    (size) => size > 0,
  );
  if (sizes.some((size) => size > maxSized)) return undefined;
  return sizes.flatMap((size) => ['x'.repeat(size), Array(size).fill(0)]);
};

const isOf = (value: unknown, type: string): boolean =>
  isList(value) ? type === 'array' && value.length > 0 : typeof value === type;

/** Types of which a condition accepts, or refuses, every value; some such types may be left out. */
const typesFor = (schema: Schema, wanted: boolean, { types }: Shape): string[] => {
  const sized = sizedValues(schema);
  if (sized === undefined) return [];
  const literals = literalsIn(schema).filter(isPlain);
  const whole = candidates.filter(({ of, type, values }) => {
    const isEmptyList = type === emptyList;
    const named = [...literals, ...sized].filter((it) => !isEmptyList && isOf(it, of));
    return types.includes(of) && [...values, ...named].every((value) => holds(schema, value) === wanted);
  });
  const said = literals.filter(
    (it) =>
      types.includes(typeof it) &&
      holds(schema, it) === wanted &&
      !whole.some(({ of }) => of === typeof it && of !== 'boolean'),
  );
  const named = said.map((it) => (typeof it === 'string' ? JSON.stringify(it) : String(it)));
  return [...new Set([...whole.map(({ type }) => type), ...named])];
};

/** A condition on a field of an object. */
export const fieldOf = ({
  type,
  required,
  properties,
}: Schema): { name: string; inner: Schema } | undefined => {
  const [name] = isList(required) ? required : [];
  if (type !== 'object' || typeof name !== 'string' || !isObject(properties)) return undefined;
  const inner = properties[name];
  return isObject(inner) ? { name, inner } : undefined;
};

const below = (name: string, alternatives: readonly Alternative[]): Alternative[] =>
  alternatives.map((leaves) => leaves.map((leaf) => ({ ...leaf, path: [name, ...leaf.path] })));

const both = (one: readonly Alternative[], other: readonly Alternative[]): Alternative[] =>
  one.flatMap((left) => other.map((right) => [...left, ...right]));

/** A field that is missing, or null where the condition refuses that too. */
const absent = (name: string, inner: Schema, { isRequired }: Shape): Alternative[] => {
  if (isRequired) return [];
  const types = holds(inner, null) ? ['undefined'] : ['null'];
  return [[{ path: [name], types, isOptional: true }]];
};

/** One part in place of several that differ in their types alone. */
const joined = (alternatives: readonly Alternative[]): Alternative[] => {
  const [leaves = []] = alternatives.filter((it) => it.length === 1 && it[0]?.isOptional);
  const [first] = leaves;
  if (first === undefined) return [...alternatives];
  const name = first.path.join('.');
  const isAlike = (it: Alternative) => it.length === 1 && it[0]?.path.join('.') === name;
  const types = alternatives.filter(isAlike).flatMap(([leaf]) => leaf?.types ?? []);
  return [[{ ...first, types: [...new Set(types)] }], ...alternatives.filter((it) => !isAlike(it))];
};

const ofField = (
  { name, inner }: { name: string; inner: Schema },
  wanted: boolean,
  shape: Shape,
): readonly Alternative[] => {
  const field = shape.fields.get(name);
  if (field === undefined) return never;
  const nested = fieldOf(inner);
  const types = nested ? [] : typesFor(inner, wanted, field);
  const here = nested
    ? below(name, ofField(nested, wanted, field))
    : types.length > 0
      ? [[{ path: [name], types, isOptional: false }]]
      : never;
  return wanted ? here : joined([...absent(name, inner, field), ...here]);
};

/** Most alternatives of one condition; beyond them its requirements apply always. */
const most = 8;

/**
 * Types of data for which a condition holds, or does not. They may leave out some of that data, and never admit any
 * other: where no type can express the condition there are none.
 */
export const alternativesFor = (schema: Schema, wanted: boolean, shape: Shape): readonly Alternative[] => {
  const { not, allOf, anyOf } = schema;
  const field = fieldOf(schema);
  if (field) return ofField(field, wanted, shape);
  if (isObject(not)) return alternativesFor(not, !wanted, shape);
  const several = isList(allOf) ? allOf : isList(anyOf) ? anyOf : undefined;
  if (several === undefined) return never;
  const parts = several.filter(isObject).map((it) => alternativesFor(it, wanted, shape));
  // Where all parts must hold, their alternatives are combined; where one is enough, they are listed.
  const found = isList(allOf) === wanted ? parts.reduce(both, [[]]) : parts.flat();
  return found.length > most ? never : found;
};
