import { type Client, CodedError, type HttpOperation } from '@stanza/contracts';
import {
  type Clock,
  type Logger,
  newContext,
  RpcFailure,
  type Tracing,
  toCodedError,
  traceIdOf,
  withinOrganizations,
} from '@stanza/runtime';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Confirmations } from '../idempotency/confirmations.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { requestIdOf } from '../pipeline/request-id.ts';
import { errorAnswer } from './errors.ts';
import { type Observed, observe } from './observe.ts';
import { errorPageAnswer, takesPages } from './pages.ts';
import { type Answer, HungUp, jsonType, type RequestContext, type Step } from './request-context.ts';
import { methodsOf, type Route } from './routes.ts';
import { scimErrorAnswer, speaksScim } from './scim.ts';

/** What serving needs besides the steps. */
export interface ServeDependencies {
  steps: readonly Step[];
  confirmations: Pick<Confirmations, 'add'>;
  metrics: GatewayMetrics;
  log: Logger;
  clock: Clock;
  tracing: Tracing;
  /** Where a request came from. */
  clientOf: (request: Request) => Client;
}

/** RFC 9745: camelCase keys and paths without `/v1` are deprecated since 2026-11-21, the first release. */
const deprecation = {
  Deprecation: `@${Date.UTC(2026, 10, 21) / 1000}`,
  Link: '</docs>; rel="deprecation"; type="text/html"',
};

const write = (
  response: Response,
  answer: Answer,
  requestId: string,
  headers: Answer['headers'] = {},
): void => {
  if (response.headersSent || response.destroyed) return;
  const content =
    answer.status === 204
      ? {}
      : { 'Content-Type': jsonType, 'Content-Length': Buffer.byteLength(answer.body) };
  response.writeHead(answer.status, {
    ...content,
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    ...headers,
    ...answer.headers,
  });
  response.end(answer.body);
};

const run = async (steps: readonly Step[], requestContext: RequestContext): Promise<Answer> => {
  for (const step of steps) {
    if (requestContext.response.destroyed) throw new HungUp('the client has gone');
    // From authentication on, a step reaches the rows of the caller's organization alone.
    const { principal } = requestContext.context;
    await (principal
      ? withinOrganizations([principal.organization_id], () => step(requestContext))
      : step(requestContext));
  }
  if (!requestContext.answer) throw new Error('no step of the pipeline answered');
  return requestContext.answer;
};

/** Continues the client's trace, or begins one; everything that the steps call belongs to it. */
const traced = (requestContext: RequestContext, { tracing, steps }: ServeDependencies): Promise<Answer> => {
  const { operation, request, context } = requestContext;
  const attributes = { 'http.request.method': operation.method, 'http.route': operation.path };
  const name = `${operation.method} ${operation.path}`;
  const given = request.get('traceparent');
  return tracing.entry(name, traceIdOf(given) && given, attributes, (traceparent) => {
    if (traceparent !== undefined) context.traceparent = traceparent;
    return run(steps, requestContext);
  });
};

/** A request holds its place for as long as it costs something: until its answer has gone out, or its client has gone. */
const leaveOnceClosed = ({ place, response }: RequestContext): void => {
  if (!place) return;
  if (response.destroyed) place.leave();
  else response.once('close', place.leave);
};

/** A cause that nobody chose is the gateway's own surprise, and is logged with all that is known of it. */
const codedOf = (error: unknown, log: Logger, observed: Observed): CodedError => {
  if (!(error instanceof CodedError) && !(error instanceof RpcFailure))
    log.error({ err: error }, 'request failed');
  const coded = toCodedError(error);
  observed.code = coded.code;
  return coded;
};

const refusalOf = (coded: CodedError, { operation, request, context }: RequestContext): Answer => {
  const answer = errorAnswer(coded, context.requestId, operation);
  if (speaksScim(operation)) return scimErrorAnswer(coded, answer);
  return takesPages(operation, request) ? errorPageAnswer(coded, context.requestId, answer.headers) : answer;
};

/**
 * Calls back once the system has taken the whole answer, which is at once unless it is large: what is not confirmed
 * when this process dies is given back, so every turn of the loop in between is one too many.
 */
const onceTaken = (response: Response, taken: () => void): void => {
  if (response.destroyed) return;
  if (response.socket?.writableLength === 0) taken();
  else response.once('finish', taken);
};

const open = (
  route: Route,
  request: Request,
  response: Response,
  dependencies: ServeDependencies,
): RequestContext => {
  const requestId = requestIdOf(request.get('x-request-id'));
  return {
    operation: route.operation,
    request,
    response,
    context: newContext({
      requestId,
      client: dependencies.clientOf(request),
      deadlineMs: route.operation.deadlineMs,
    }),
    log: dependencies.log.child({ request_id: requestId, operation: route.operation.id }),
    deprecated: route.prefixed || speaksScim(route.operation) ? [] : ['path'],
    headers: {},
  };
};

/** Makes the express handler of a route: the pipeline, then exactly one answer and one log line. */
export const serve =
  (route: Route, dependencies: ServeDependencies) =>
  async (request: Request, response: Response): Promise<void> => {
    const requestContext = open(route, request, response, dependencies);
    const { context, deprecated, log, operation } = requestContext;
    const observed: Observed = { operation: operation.id, context, deprecated, log, requestContext };
    observe(request, response, observed, dependencies);
    const headers = () =>
      deprecated.length > 0 ? { ...requestContext.headers, ...deprecation } : requestContext.headers;
    try {
      const answer = await traced(requestContext, dependencies);
      write(response, answer, context.requestId, headers());
      if (operation.confirmed && !requestContext.isRemembered)
        onceTaken(response, () => dependencies.confirmations.add(context.operationId));
    } catch (error) {
      if (error instanceof HungUp) return;
      const coded = codedOf(error, log, observed);
      write(response, refusalOf(coded, requestContext), context.requestId, headers());
    } finally {
      leaveOnceClosed(requestContext);
    }
  };

type NoRouteDependencies = Pick<ServeDependencies, 'metrics' | 'log' | 'clock' | 'clientOf'>;

/** Answers a request that no operation takes, counted and logged under the operation "none". */
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
  const answer = errorAnswer(codedOf(error, log, observed), requestId);
  write(response, { ...answer, headers: { ...answer.headers, ...headers } }, requestId);
};

/** Answers what no route takes: 404, with the methods that the path does take. */
export const serveUnknown =
  (dependencies: NoRouteDependencies, all: readonly Route[]) =>
  (request: Request, response: Response): void => {
    const allowed: HttpOperation['method'][] = methodsOf(request.path, all);
    const message =
      allowed.length > 0
        ? `${request.method} is not possible here; the path takes ${allowed.join(', ')}.`
        : 'There is no such path; /openapi.json lists them all.';
    const headers: Record<string, string> = allowed.length > 0 ? { Allow: allowed.join(', ') } : {};
    answerWithoutRoute(request, response, dependencies, new CodedError('not_found', { message }), headers);
  };

/** What express itself refuses, a path with a broken escape for one, is a coded answer too. */
export const serveRefused =
  (dependencies: NoRouteDependencies): ErrorRequestHandler =>
  (error: unknown, request, response, _next) => {
    const status =
      typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
    const badPath = { message: 'The path holds a broken percent escape.' };
    const refused = status === 400 ? new CodedError('invalid_request', badPath, { cause: error }) : error;
    answerWithoutRoute(request, response, dependencies, refused);
  };
