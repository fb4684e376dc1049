import { CodedError, type HttpOperation } from '@stanza/contracts';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { errorAnswer, scimErrorAnswer } from './answers.ts';
import { type Observed, observe } from './observe.ts';
import { type Route, requestIdOf } from './request-context.ts';
import { codedOf, type ServeDependencies, write } from './serve.ts';

/** Where every error has the form of SCIM (RFC 7644, 3.12), also of resources that are not there. */
const scimPath = /^(\/v1)?\/scim(\/|$)/;

/** Paths besides the operations, which can be read. */
const readable = ['/livez', '/readyz', '/version', '/openapi.json'];

/** Whether a route takes a path that is split at its slashes; an id is not empty. */
export const fits = (route: Route, given: readonly string[]): boolean => {
  const parts = route.path.split('/');
  return (
    parts.length === given.length &&
    parts.every((part, at) => (part.startsWith(':') ? given[at] !== '' : part === given[at]))
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

type NoRouteDependencies = Pick<ServeDependencies, 'metrics' | 'log' | 'clock' | 'clientOf'>;

/** Answers a request that matches no operation, counted and logged under the operation "none". */
const answerWithoutRoute = (
  request: Request,
  response: Response,
  dependencies: NoRouteDependencies,
  error: unknown,
  headers: Record<string, string> = {},
): void => {
  const requestId = requestIdOf(request.get('x-request-id'));
  const log = dependencies.log.child({ request_id: requestId });
  const observed: Observed = {
    operation: 'none',
    context: { client: dependencies.clientOf(request) },
    deprecated: [],
    log,
  };
  observe(request, response, observed, dependencies);
  const coded = codedOf(error, log, observed);
  const plain = errorAnswer(coded, requestId);
  const answer = scimPath.test(request.path) ? scimErrorAnswer(coded, plain) : plain;
  write(response, { ...answer, headers: { ...answer.headers, ...headers } }, requestId);
};

/** Answers a request without a route: 405 with the methods of a path that exists, else 404. */
export const serveUnknown =
  (dependencies: NoRouteDependencies, all: readonly Route[]) =>
  (request: Request, response: Response): void => {
    const allowed = methodsOf(request.path, all).join(', ');
    if (allowed === '') {
      const message = request.path.includes('//')
        ? 'This path has an empty part, as where an id was left out.'
        : 'This path does not exist; /openapi.json lists all paths.';
      answerWithoutRoute(request, response, dependencies, new CodedError('not_found', { message }));
      return;
    }
    const message = `${request.method} is not supported here; the path supports ${allowed}.`;
    const refused = new CodedError('method_not_allowed', { message });
    answerWithoutRoute(request, response, dependencies, refused, { Allow: allowed });
  };

/** A request refused by express itself, such as a path with a broken escape, gets a coded error too. */
export const serveRefused =
  (dependencies: NoRouteDependencies): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    const status =
      typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
    const badPath = { message: 'The path contains an invalid percent escape.' };
    const refused = status === 400 ? new CodedError('invalid_request', badPath, { cause: error }) : error;
    answerWithoutRoute(request, response, dependencies, refused);
  };
