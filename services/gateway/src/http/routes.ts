import { type HttpOperation, httpOperations } from '@stanza/contracts';
import type { Express, Request, Response } from 'express';

/** Where an operation is reached: under `/v1`, and for older clients without it. */
export interface Route {
  operation: HttpOperation;
  path: string;
  prefixed: boolean;
}

const expressPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const parameters = (path: string): number => path.split('{').length - 1;

/**
 * Every route. Express tries one after the other: those under `/v1` come first, since few ask without it, and those with
 * fewer parameters before the others, so that `/templates/block-schema` is no template's id.
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

/** Serves a route with a handler; express calls it by the method's name. */
export const mount = (
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

/** The methods that a path takes; a trailing slash makes no difference, as it makes none to express. */
export const methodsOf = (path: string, all: readonly Route[]): HttpOperation['method'][] => {
  const given = path.replace(/\/$/, '').split('/');
  const fits = (route: Route): boolean => {
    const dependencies = route.path.split('/');
    return (
      dependencies.length === given.length &&
      dependencies.every((part, at) => part.startsWith(':') || part === given[at])
    );
  };
  return [...new Set(all.filter(fits).map((route) => route.operation.method))];
};
