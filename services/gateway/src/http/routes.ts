import { type HttpOperation, httpOperations } from '@stanza/contracts';
import type { Express, Request, RequestHandler, Response } from 'express';

/** The paths of an operation: under `/v1`, and without it for older clients. */
export interface Route {
  operation: HttpOperation;
  path: string;
  prefixed: boolean;
}

const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const parameters = (path: string): number => path.split('{').length - 1;

/**
 * Every route. Express tries them in order: those under `/v1` come first, since most requests use it, and those with
 * fewer parameters before the others, so that `/templates/block-schema` is not taken for a template's id.
 */
export const routes = (): Route[] => {
  const ordered = [...httpOperations].sort((one, other) => parameters(one.path) - parameters(other.path));
  const under = (prefix: string): Route[] =>
    ordered.map((operation) => ({
      operation,
      path: `${prefix}${expressPath(operation.path)}`,
      prefixed: prefix !== '',
    }));
  return [...under('/v1'), ...under('')];
};

/** Registers a handler for a route; express names its methods like HTTP. */
const mount = (
  app: Express,
  route: Route,
  handler: (request: Request, response: Response) => Promise<void>,
): void => {
  const { method } = route.operation;
  if (method === 'GET') app.get(route.path, handler);
  else if (method === 'POST') app.post(route.path, handler);
  else if (method === 'PUT') app.put(route.path, handler);
  else if (method === 'PATCH') app.patch(route.path, handler);
  else app.delete(route.path, handler);
};

/**
 * Serves the operations whose path has no parameters, found by method and path in one step. Express looks for a route by
 * trying one after the other, which costs a compile more than to read its body; what differs from the written path, such
 * as a slash at its end, is left to it.
 */
export const serveDirectly = (
  all: readonly Route[],
  serve: (route: Route) => (request: Request, response: Response) => Promise<void>,
): RequestHandler => {
  const plain = all.filter(({ operation }) => parameters(operation.path) === 0);
  const handlers = new Map(plain.map((route) => [`${route.operation.method} ${route.path}`, serve(route)]));
  return (request, response, next) => {
    const handler = handlers.get(`${request.method} ${request.path}`);
    return handler ? handler(request, response) : next();
  };
};

/** Paths besides the operations, which can be read. */
const readable = ['/livez', '/readyz', '/version', '/openapi.json'];

const fits = (route: Route, given: readonly string[]): boolean => {
  const parts = route.path.split('/');
  return (
    parts.length === given.length && parts.every((part, at) => part.startsWith(':') || part === given[at])
  );
};

/**
 * The methods of a path; a trailing slash makes no difference, as in express. The first route that fits says which path
 * it is: `/templates/compile` is no id of a template.
 */
export const methodsOf = (path: string, all: readonly Route[]): HttpOperation['method'][] => {
  const plain = path.replace(/\/$/, '');
  if (readable.includes(plain)) return ['GET'];
  const given = plain.split('/');
  const found = all.find((route) => fits(route, given));
  return all.filter((route) => route.path === found?.path).map((route) => route.operation.method);
};

/** A path that another route, with more parameters, would take for one of its own. */
const isTaken = ({ path }: Route, all: readonly Route[]): boolean =>
  all.some((other) => other.path !== path && fits(other, path.split('/')));

/**
 * Registers all routes. A path without a method must not be taken for a resource: `GET /templates/compile` reads no
 * template, so the few such paths are closed before the routes with more parameters follow.
 */
export const mountAll = (
  app: Express,
  all: readonly Route[],
  serve: (route: Route) => (request: Request, response: Response) => Promise<void>,
  refuse: RequestHandler,
): void => {
  const levels = Map.groupBy(all, ({ prefixed, operation }) => `${prefixed} ${parameters(operation.path)}`);
  for (const level of levels.values()) {
    for (const route of level) mount(app, route, serve(route));
    const taken = new Set(level.filter((route) => isTaken(route, all)).map(({ path }) => path));
    for (const path of taken) {
      app.all(path, (request, response, next) =>
        request.method === 'OPTIONS' ? next() : refuse(request, response, next),
      );
    }
  }
};
