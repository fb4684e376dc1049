import { accepts, type JsonSchema, resolved } from '../kit/openapi.ts';
import { isObject } from './values.ts';

/** Where a value stands in a body. */
export type Path = readonly (string | number)[];

/** A change that makes a body wrong at one place. */
export interface Mutation {
  /** What was done to the body. */
  title: string;
  /** Where the refusal must point. */
  path: Path;
  /** The body with the change; the one that is given stays as it is. */
  change: (body: unknown) => unknown;
}

/** A value with another one at a path; undefined takes it away. */
const withAt = (value: unknown, [head, ...rest]: Path, put: unknown): unknown => {
  if (head === undefined) return put;
  if (Array.isArray(value)) return value.map((it, at) => (at === head ? withAt(it, rest, put) : it));
  const { [String(head)]: inner, ...others } = isObject(value) ? value : {};
  const replaced = withAt(inner, rest, put);
  return replaced === undefined ? others : { ...others, [String(head)]: replaced };
};

const put = (what: string, path: Path, value: unknown): Mutation => ({
  title: `${what} at ${path.join('.') || 'the top'}`,
  path,
  change: (body) => withAt(body, path, value),
});

const strange: readonly unknown[] = [true, { strange: true }, ['strange'], 0.5, 'strange value'];

/** A value that a schema does not take; none where it takes anything. */
const wrongFor = (schema: JsonSchema): unknown => strange.find((value) => !accepts(schema, value));

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The first branch of a choice that a value fits, or that is no null. */
const branchOf = (schema: JsonSchema, value: unknown): JsonSchema => {
  const whole = resolved(schema);
  const branches = Array.isArray(whole.anyOf) ? whole.anyOf.filter(isObject) : [];
  const fits = branches.find((branch) => value !== undefined && accepts(branch, value));
  const chosen = fits ?? branches.find((branch) => branch.type !== 'null');
  return chosen ? branchOf(chosen, value) : whole;
};

/** One step beyond each bound of a schema. */
const outOfBounds = (schema: JsonSchema, value: unknown, path: Path): Mutation[] => {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const longest = numberOf(maxLength);
  const most = numberOf(maxItems);
  const item: unknown = Array.isArray(value) ? value[0] : undefined;
  return [
    ...((numberOf(minLength) ?? 0) > 0 ? [put('an empty text', path, '')] : []),
    ...(longest === undefined ? [] : [put('a character too many', path, 'x'.repeat(longest + 1))]),
    ...[minimum].filter(Number.isFinite).map((least) => put('less than allowed', path, Number(least) - 1)),
    ...[maximum]
      .filter(Number.isFinite)
      .map((greatest) => put('more than allowed', path, Number(greatest) + 1)),
    ...((numberOf(minItems) ?? 0) > 0 ? [put('an empty list', path, [])] : []),
    ...(most === undefined || item === undefined
      ? []
      : [
          put(
            'an item too many',
            path,
            Array.from({ length: most + 1 }, () => item),
          ),
        ]),
  ];
};

const mutateObject = (schema: JsonSchema, value: unknown, path: Path): Mutation[] => {
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const inner = Object.entries(properties).flatMap(([key, property]) =>
    isObject(property) ? mutate(property, isObject(value) ? value[key] : undefined, [...path, key]) : [],
  );
  return [
    ...inner,
    ...required.map((key) => put('nothing', [...path, String(key)], undefined)),
    ...(schema.additionalProperties === false ? [put('an unknown key', [...path, 'unknown_key'], 1)] : []),
  ];
};

/**
 * Every way in which a schema lets a body be wrong at one place: a wrong type, a missing or an unknown key, one step
 * beyond a bound, at each level that the valid body has.
 */
export const mutate = (schema: JsonSchema, value: unknown, path: Path = []): Mutation[] => {
  const branch = branchOf(schema, value);
  const wrong = wrongFor(schema);
  const here = [
    ...(wrong === undefined ? [] : [put('a wrong type', path, wrong)]),
    ...outOfBounds(branch, value, path),
  ];
  if (value === undefined && path.length > 0) return here;
  if (isObject(branch.properties)) return [...here, ...mutateObject(branch, value, path)];
  const { items } = branch;
  return isObject(items) && Array.isArray(value) && value.length > 0
    ? [...here, ...mutate(items, value[0], [...path, 0])]
    : here;
};

const textsOf = (value: unknown, path: Path): Path[] => {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.slice(0, 1).flatMap((item) => textsOf(item, [...path, 0]));
  return isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => textsOf(inner, [...path, key]))
    : [];
};

/** Every text of a body with a character that cannot be stored. */
export const unstorable = (body: unknown): Mutation[] =>
  textsOf(body, []).flatMap((path) => [
    put('U+0000', path, 'a\u0000b'),
    put('half of a surrogate pair', path, 'a\ud800b'),
  ]);
