import type { HttpOperation } from '@stanza/contracts';
import type { Api, OperationInput } from '../support/api.ts';
import { fixtures, type Params, particulars, references } from './fixtures.ts';
import type { Home } from './home.ts';
import { isObject, type JsonObject } from './values.ts';

/** Makes, or finds, what a path ends in. */
export type Maker = (path: string, above: Params) => Promise<string>;

/** Something that a request names by id: in its path, its query or its body. */
export interface Position {
  place: 'params' | 'query' | 'body';
  name: string;
  /** The path that ends in it; see the fixtures. */
  path: string;
}

/** A maker that makes everything anew. */
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
  }));

const referencePositions = (place: 'query' | 'body', names: readonly string[]): Position[] =>
  names.flatMap((name) => {
    const path = references[name];
    return path === undefined ? [] : [{ place, name, path }];
  });

/** Everything that requests of an operation name by id. */
export const positionsOf = (operation: HttpOperation): Position[] => [
  ...pathPositions(operation),
  ...referencePositions('query', Object.keys(operation.query?.shape ?? {})),
  ...referencePositions('body', isObject(operation.example) ? Object.keys(operation.example) : []),
];

/** The path parameters of an operation, each naming something that exists. */
export const paramsFor = async (operation: HttpOperation, make: Maker): Promise<Params> => {
  const params: Params = {};
  for (const { name, path } of pathPositions(operation)) params[name] = await make(path, { ...params });
  return params;
};

const bodyFor = async (operation: HttpOperation, make: Maker, given: JsonObject): Promise<unknown> => {
  if (!operation.body || !isObject(operation.example)) return operation.example;
  const body: JsonObject = { ...operation.example };
  for (const { place, name, path } of positionsOf(operation)) {
    if (place === 'body' && !Object.hasOwn(given, name)) body[name] = await make(path, {});
  }
  return { ...body, ...given };
};

/** A request that succeeds: the operation's example with everything that it names, made anew. */
export const validRequest = async (operation: HttpOperation, home: Home): Promise<OperationInput> => {
  const { params, query, body } = particulars[operation.id] ?? {};
  const make = freshly(home);
  return {
    params: params ? await params(home) : await paramsFor(operation, make),
    query: query ? await query(home) : {},
    body: await bodyFor(operation, make, body ? await body(home) : {}),
  };
};

/** The same with what a home already has; a resource need not be in the state that the operation asks for. */
export const plausibleRequest = async (
  operation: HttpOperation,
  home: Home,
  make: Maker,
): Promise<OperationInput> => {
  const { query, body } = particulars[operation.id] ?? {};
  return {
    params: await paramsFor(operation, make),
    query: query ? await query(home) : {},
    body: await bodyFor(operation, make, body ? await body(home) : {}),
  };
};

const unknownId = '01938c2e-7b1a-7c3d-9e4f-0000000000ff';

/** Path parameters that name nothing. */
export const unknownParams = ({ params }: HttpOperation): Params =>
  Object.fromEntries(Object.keys(params?.shape ?? {}).map((name) => [name, unknownId]));

/** Who may make the request: the owner, with a key, or with a session where the operation takes nothing else. */
export const callerOf = async ({ access }: HttpOperation, home: Home): Promise<Api> =>
  access === 'session' ? home.session() : home.api;

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
