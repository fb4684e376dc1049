import type { HttpOperation } from '@stanza/contracts';
import type { Api, OperationInput } from '../kit/api.ts';
import { parametersOf } from '../kit/openapi.ts';
import { fixtures, type Params, particulars, references } from './fixtures/index.ts';
import type { Home } from './home.ts';
import { isObject, sampleOf } from './values.ts';

/** Makes, or finds, what a path ends in. */
export type Maker = (path: string, above: Params) => Promise<string>;

/** Something that a request names by id: in its path, its query or its body. */
export interface Position {
  place: 'params' | 'query' | 'body';
  name: string;
  /** The path that ends in it; see the fixtures. */
  path: string;
  /** False for what a request may leave out, and does. */
  isNeeded: boolean;
}

/** A maker that makes everything again. */
export const freshly =
  (home: Home): Maker =>
  (path, above) => {
    const fixture = fixtures[path];
    if (!fixture) throw new Error(`the fixtures have no ${path}`);
    return fixture.make(home, above);
  };

/** A maker that makes everything once, and remembers it under `made`. */
export const once = (home: Home): { make: Maker; made: ReadonlyMap<string, Promise<string>> } => {
  const make = freshly(home);
  const made = new Map<string, Promise<string>>();
  const remember: Maker = (path, above) => {
    const known = made.get(path) ?? make(path, above);
    made.set(path, known);
    return known;
  };
  return { make: remember, made };
};

/** The parameters of an operation's path, each with the path that ends in it. */
const pathPositions = ({ path }: HttpOperation): Position[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => ({
    place: 'params',
    name: match[1] ?? '',
    path: path.slice(0, match.index + match[0].length),
    isNeeded: true,
  }));

/** What a key names: in the operations of an area it may be something of its own. */
const referenceOf = ({ path }: HttpOperation, name: string): string | undefined =>
  references[`${path.split('/')[1]}.${name}`] ?? references[name];

const queryPositions = (operation: HttpOperation): Position[] =>
  parametersOf(operation).flatMap(({ name, place, required }) => {
    const path = referenceOf(operation, name);
    return place === 'query' && path !== undefined ? [{ place, name, path, isNeeded: required }] : [];
  });

const bodyPositions = (operation: HttpOperation): Position[] =>
  Object.keys(isObject(operation.example) ? operation.example : {}).flatMap((name) => {
    const path = referenceOf(operation, name);
    return path === undefined ? [] : [{ place: 'body' as const, name, path, isNeeded: true }];
  });

/** Everything that requests of an operation may name by id. */
export const positionsOf = (operation: HttpOperation): Position[] => [
  ...pathPositions(operation),
  ...queryPositions(operation),
  ...bodyPositions(operation),
];

/** The path parameters of an operation, each naming something that exists. */
export const paramsFor = async (operation: HttpOperation, make: Maker): Promise<Params> => {
  const params: Params = {};
  for (const { name, path } of pathPositions(operation)) params[name] = await make(path, { ...params });
  return params;
};

/** What a part of a request names by id, but for the keys that are given. */
const namedIn = async (
  operation: HttpOperation,
  wanted: 'query' | 'body',
  make: Maker,
  params: Params,
  given: object,
): Promise<Params> => {
  const made: Params = {};
  for (const { place, name, path, isNeeded } of positionsOf(operation)) {
    if (place !== wanted || !isNeeded || Object.hasOwn(given, name)) continue;
    made[name] = await make(path, params);
  }
  return made;
};

/** A value for each query parameter that is required. */
const requiredQuery = (operation: HttpOperation): Params =>
  Object.fromEntries(
    parametersOf(operation)
      .filter(({ place, required }) => place === 'query' && required)
      .map((parameter) => [parameter.name, sampleOf(parameter)]),
  );

/**
 * The operation's example with everything that it names, of which nothing needs to be in the state that the operation
 * asks for; what is given goes before all else.
 */
export const plausibleRequest = async (
  operation: HttpOperation,
  make: Maker,
  given: OperationInput = {},
): Promise<OperationInput> => {
  const params = given.params ?? (await paramsFor(operation, make));
  const query = given.query ?? {};
  const namedQuery = await namedIn(operation, 'query', make, params, query);
  const request = { params, query: { ...requiredQuery(operation), ...namedQuery, ...query } };
  if (!isObject(operation.example)) return { ...request, body: given.body ?? operation.example };
  const body = isObject(given.body) ? given.body : {};
  const named = await namedIn(operation, 'body', make, params, body);
  return { ...request, body: { ...operation.example, ...named, ...body } };
};

/** A request and who makes it. */
export interface ValidRequest extends OperationInput {
  caller: Api;
}

/** A request that succeeds, with everything that it names made again. */
export const validRequest = async (operation: HttpOperation, home: Home): Promise<ValidRequest> => {
  const special = (await particulars[operation.id]?.(home)) ?? {};
  const request = await plausibleRequest(operation, freshly(home), special);
  return { ...request, caller: special.caller ?? (await callerOf(operation, home)) };
};

const unknownId = '01938c2e-7b1a-7c3d-9e4f-0000000000ff';

/** Path parameters that name nothing. */
export const unknownParams = ({ params }: HttpOperation): Params =>
  Object.fromEntries(Object.keys(params?.shape ?? {}).map((name) => [name, unknownId]));

/** Who may make the request: the owner, with a key, or with a session where the operation takes nothing else. */
export const callerOf = async ({ access }: HttpOperation, home: Home): Promise<Api> =>
  access === 'session' ? home.session() : home.api;

/** How a request that is not as described is refused; SCIM knows no 422. */
export const invalidStatus = ({ answers }: HttpOperation): number => (answers === 'scim' ? 400 : 422);

/** The path and query of a request, under `/v1` or without it. */
export const addressOf = (
  operation: HttpOperation,
  { params = {}, query = {} }: OperationInput,
  prefix = '/v1',
): string => {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  return `${prefix}${path}${search === '' ? '' : `?${search}`}`;
};

/**
 * Whether a client of the API makes the request. What the chat platform, a browser or an identity provider makes may say
 * more than the operation knows.
 */
export const isMadeByClient = ({ access, answers }: HttpOperation): boolean =>
  access !== 'public' && access !== 'signed' && answers !== 'scim';
