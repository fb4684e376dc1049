import { parsePath } from '../expressions/placeholders/path.ts';
import { isList, isObject, type JsonObject } from '../json.ts';
import type { Scope } from '../parse/parse-context.ts';
import { startContext } from '../parse/parse-template.ts';
import type { ReadStep } from '../parse/parsed-path.ts';

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

/** Finds the steps from the value under examination to what a path reads; undefined where it is elsewhere. */
export type Locate = (path: unknown) => readonly string[] | undefined;

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
  const steps = locate(path);
  // A value to compare with that stands in the data itself is more than a schema can say.
  if (steps === undefined || typeof operator !== 'string' || isObject(value)) return nothing;
  return translations[operator]?.(steps, value) ?? nothing;
};

/**
 * Finds paths of conditions from the root of the data or from the item of a loop.
 * @param base steps to that root or item
 */
export const locateFrom =
  (base: readonly ReadStep[], scope: Scope | undefined): Locate =>
  (path) => {
    if (typeof path !== 'string') return undefined;
    const steps = parsePath(path, { ...startContext('message'), scope })?.steps;
    if (steps === undefined || base.some((step, index) => steps[index] !== step)) return undefined;
    const rest = steps.slice(base.length);
    const names = rest.filter((step) => typeof step === 'string');
    return names.length === rest.length && steps.length >= base.length ? names : undefined;
  };
