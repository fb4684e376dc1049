import { numberOf } from '../expressions/filters/filter.ts';
import { parsePath } from '../expressions/placeholders/path.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import type { ParseContext } from '../parse/parse-context.ts';
import { startContext } from '../program/parse-template.ts';
import type { ReadStep } from '../run/path-text.ts';
import type { TypesByPath } from './types-by-path.ts';

/** A JSON Schema, or a part of one. */
export type Schema = JsonObject;

/**
 * Schemas of the data for which a condition holds, and for which it does not. Both may accept more data than that,
 * never less: where a schema cannot express the condition, it requires nothing.
 */
export interface Bounds {
  readonly when: Schema | undefined;
  readonly unless: Schema | undefined;
}

/** What a path reads, seen from the value under examination. */
interface Located {
  /** The keys to it, or to the list or text whose length it is. */
  readonly steps: readonly string[];
  readonly isLength: boolean;
}

/** Finds what a path reads, seen from the value under examination; undefined where it is elsewhere. */
export type Locate = (path: unknown) => Located | undefined;

const nothing: Bounds = { when: undefined, unless: undefined };
const isNull: Schema = { type: 'null' };
const emptyList: Schema = { type: 'array', maxItems: 0 };
const emptyObject: Schema = { type: 'object', maxProperties: 0 };

/** A value that is there, at the end of some steps. */
export const at = (steps: readonly string[], schema: Schema): Schema => {
  const [first, ...rest] = steps;
  if (first === undefined) return schema;
  return {
    type: 'object',
    required: [first],
    properties: Object.fromEntries([[first, at(rest, schema)]]),
  };
};

const exactly = (when: Schema): Bounds => ({ when, unless: { not: when } });
const swapped = ({ when, unless }: Bounds): Bounds => ({ when: unless, unless: when });
const isThere = (steps: readonly string[]): Schema => at(steps, { not: isNull });

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;

type Translate = (steps: readonly string[], value: unknown) => Bounds;

const truthy: Translate = (steps) =>
  exactly(at(steps, { not: { anyOf: [{ enum: [null, false, 0, ''] }, emptyList] } }));
const notEmpty: Translate = (steps) =>
  exactly(at(steps, { not: { anyOf: [{ enum: [null, ''] }, emptyList, emptyObject] } }));
const exists: Translate = (steps) => exactly(isThere(steps));
const equals: Translate = (steps, value) => (isPlain(value) ? exactly(at(steps, { const: value })) : nothing);
const among: Translate = (steps, value) => {
  if (!isList(value)) return nothing;
  return value.length === 0 ? exactly({ not: {} }) : exactly(at(steps, { enum: [...new Set(value)] }));
};
/** A comparison that a schema cannot express is false for a missing value. */
const present: Translate = (steps) => ({ when: isThere(steps), unless: undefined });
const not =
  (translate: Translate): Translate =>
  (steps, value) =>
    swapped(translate(steps, value));

const translations: Readonly<Record<string, Translate>> = {
  truthy,
  falsy: not(truthy),
  exists,
  not_exists: not(exists),
  not_empty: notEmpty,
  empty: not(notEmpty),
  eq: equals,
  ne: not(equals),
  in: among,
  not_in: not(among),
  gt: present,
  gte: present,
  lt: present,
  lte: present,
  contains: present,
  not_contains: not(present),
  starts_with: present,
  ends_with: present,
};

/** A list or a text of some length. */
const sized = (least: number, most = Number.POSITIVE_INFINITY): Schema => {
  if (most < Math.max(0, least)) return { not: {} };
  const [min, max] = [Math.max(0, least), Number.isFinite(most) ? most : undefined];
  return {
    anyOf: [
      { type: 'array', ...(min > 0 && { minItems: min }), ...(max !== undefined && { maxItems: max }) },
      { type: 'string', ...(min > 0 && { minLength: min }), ...(max !== undefined && { maxLength: max }) },
    ],
  };
};

const exactLength = (value: unknown): Schema =>
  typeof value === 'number' && Number.isInteger(value) ? sized(value, value) : { not: {} };

/** A schema of the lists and texts whose length fits a value of the template. */
type Sizes = (value: unknown) => Schema | undefined;

const ordered =
  (sizes: (length: number) => Schema): Sizes =>
  (value) => {
    const length = numberOf(value);
    return length === undefined ? undefined : sizes(length);
  };

const anySize: Sizes = () => sized(0);
const noSize: Sizes = () => ({ not: {} });

/** Operators over the length of a list or a text, which a schema can express; `not` in front of the opposite. */
const sizesOf: Readonly<Record<string, Sizes>> = {
  truthy: () => sized(1),
  exists: anySize,
  not_empty: anySize,
  eq: exactLength,
  in: (value) => (isList(value) ? { anyOf: [{ not: {} }, ...value.map(exactLength)] } : undefined),
  gt: ordered((length) => sized(Math.floor(length) + 1)),
  gte: ordered((length) => sized(Math.ceil(length))),
  lt: ordered((length) => sized(0, Math.ceil(length) - 1)),
  lte: ordered((length) => sized(0, Math.floor(length))),
  contains: noSize,
  starts_with: noSize,
  ends_with: noSize,
};

const opposites: Readonly<Record<string, string>> = {
  falsy: 'truthy',
  not_exists: 'exists',
  empty: 'not_empty',
  ne: 'eq',
  not_in: 'in',
  not_contains: 'contains',
};

const ofLength = (operator: string, steps: readonly string[], value: unknown): Bounds => {
  const opposite = opposites[operator];
  if (opposite !== undefined) return swapped(ofLength(opposite, steps, value));
  const schema = sizesOf[operator]?.(value);
  return schema === undefined ? present(steps, value) : exactly(at(steps, schema));
};

const every = (schemas: readonly (Schema | undefined)[]): Schema | undefined => {
  const said = schemas.filter((schema) => schema !== undefined);
  return said.length > 1 ? { allOf: said } : said[0];
};

const some = (schemas: readonly (Schema | undefined)[]): Schema | undefined => {
  const said = schemas.filter((schema) => schema !== undefined);
  if (said.length < schemas.length) return undefined;
  return said.length === 0 ? { not: {} } : { anyOf: said };
};

/** The requirements of a condition on the data. */
export const boundsOf = (condition: unknown, locate: Locate): Bounds => {
  if (!isObject(condition)) return nothing;
  const { all, any, not: inner, path, operator = 'truthy', value } = condition;
  const several = isList(all) ? all : isList(any) ? any : undefined;
  if (several !== undefined) {
    const bounds = several.map((one) => boundsOf(one, locate));
    const [whens, unlesses] = [bounds.map((it) => it.when), bounds.map((it) => it.unless)];
    return isList(all)
      ? { when: every(whens), unless: some(unlesses) }
      : { when: some(whens), unless: every(unlesses) };
  }
  if (inner !== undefined) return swapped(boundsOf(inner, locate));
  const located = locate(path);
  // A value to compare with that stands in the data itself is more than a schema can say.
  if (located === undefined || typeof operator !== 'string' || isObject(value)) return nothing;
  const { steps, isLength } = located;
  if (isLength) return ofLength(operator, steps, value);
  return translations[operator]?.(steps, value) ?? nothing;
};

/**
 * Finds paths of conditions from the root of the data or from the item of a loop.
 * @param base steps to that root or item
 * @param around the loops and names around the condition
 * @param types the derived types of the data
 */
export const locateFrom =
  (
    base: readonly ReadStep[],
    { scope, names }: Pick<ParseContext, 'scope' | 'names'>,
    types: Pick<TypesByPath, 'isLength'>,
  ): Locate =>
  (path) => {
    if (typeof path !== 'string') return undefined;
    const steps = parsePath(path, { ...startContext('message'), scope, names })?.steps;
    if (steps === undefined || base.some((step, index) => steps[index] !== step)) return undefined;
    const rest = steps.slice(base.length);
    const keys = rest.filter((step) => typeof step === 'string');
    if (keys.length < rest.length || steps.length < base.length) return undefined;
    const isLength = rest.length > 0 && types.isLength(steps);
    return { steps: isLength ? keys.slice(0, -1) : keys, isLength };
  };
