import { type Client, CodedError } from '@stanza/contracts';
import {
  type Clock,
  type ConcurrencySlot,
  type Logger,
  newContext,
  RpcFailure,
  type Tracing,
  toCodedError,
  traceIdOf,
  withinOrganizations,
} from '@stanza/runtime';
import type { Request, Response } from 'express';
import type { GatewayMetrics } from '../metrics.ts';
import { errorAnswer, errorPageAnswer, scimErrorAnswer, speaksScim, takesPages } from './answers.ts';
import { type Observed, observe } from './observe.ts';
import {
  type Answer,
  HungUp,
  jsonType,
  type RequestContext,
  type Route,
  requestIdOf,
  type Step,
} from './request-context.ts';

/** The dependencies of serving, besides the steps. */
export interface ServeDependencies {
  steps: readonly Step[];
  /** Takes the ids of operations whose answers have left. */
  confirmations: { add(operationId: string): void };
  metrics: GatewayMetrics;
  log: Logger;
  clock: Clock;
  tracing: Tracing;
  /** The origin of a request. */
  clientOf: (request: Request) => Client;
}

/** RFC 9745: camelCase keys and paths without `/v1` are deprecated since 2026-11-21, the first release. */
const deprecation = {
  Deprecation: `@${Date.UTC(2026, 10, 21) / 1000}`,
  Link: '</docs>; rel="deprecation"; type="text/html"',
};

/** Writes an answer, unless the response has begun or its client has gone. */
export const write = (
  response: Response,
  answer: Answer,
  requestId: string,
  headers: Answer['headers'] = {},
): void => {
  if (response.headersSent || response.destroyed) return;
  const content =
    answer.status === 204 || answer.status === 304 || answer.stream
      ? {}
      : { 'Content-Type': jsonType, 'Content-Length': Buffer.byteLength(answer.body) };
  response.writeHead(answer.status, {
    ...content,
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    ...headers,
    ...answer.headers,
  });
  if (!answer.stream || response.req.method === 'HEAD') response.end(answer.body);
  else void answer.stream();
};

/**
 * Runs the steps in order. From authentication on they reach the rows of the caller's organization only.
 * @param within the organization whose rows this run reaches
 */
const run = async (
  steps: readonly Step[],
  requestContext: RequestContext,
  within?: string,
): Promise<Answer> => {
  for (const [at, step] of steps.entries()) {
    if (requestContext.response.destroyed) throw new HungUp('the client has gone');
    const owner = requestContext.context.principal?.organization_id;
    if (owner !== undefined && owner !== within)
      return withinOrganizations([owner], () => run(steps.slice(at), requestContext, owner));
    await step(requestContext);
  }
  if (!requestContext.answer) throw new Error('no step of the pipeline produced a response');
  return requestContext.answer;
};

/** Continues the client's trace, or starts one; all calls of the steps belong to it. */
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

/** Holds a place until a response is sent or its client has disconnected, which may have happened already. */
export const leaveOnceClosed = (
  slot: Pick<ConcurrencySlot, 'leave'>,
  response: Pick<Response, 'destroyed' | 'once'>,
): void => {
  if (response.destroyed) slot.leave();
  else response.once('close', slot.leave);
};

/** An uncoded error is unexpected, and is logged with all details; so is which part did not answer. */
export const loggedError = (error: unknown, log: Logger): CodedError => {
  if (!(error instanceof CodedError) && !(error instanceof RpcFailure))
    log.error({ err: error }, 'request failed');
  const coded = toCodedError(error);
  if (error instanceof RpcFailure || (error instanceof CodedError && coded.status >= 500 && coded.cause))
    log.warn({ err: error, code: coded.code }, 'request failed: a dependency is unavailable');
  return coded;
};

/** The coded form of the error that a request is answered with; see {@link loggedError}. */
export const codedOf = (error: unknown, log: Logger, observed: Observed): CodedError => {
  const coded = loggedError(error, log);
  observed.code = coded.code;
  return coded;
};

const refusalOf = (coded: CodedError, requestContext: RequestContext): Answer => {
  const { operation, request, context } = requestContext;
  const answer = errorAnswer(coded, context.requestId, requestContext);
  if (speaksScim(operation)) return scimErrorAnswer(coded, answer);
  return takesPages(operation, request) ? errorPageAnswer(coded, context.requestId, answer.headers) : answer;
};

/**
 * Calls back once the operating system has the whole response, which is immediate unless it is large. A charge that is
 * unconfirmed when this process dies is reversed, so even one turn of the event loop matters.
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

/** Makes the express handler of a route: the pipeline, then exactly one response and one log line. */
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
      if (answer.stream) observed.beganAt = dependencies.clock.monotonic();
      write(response, answer, context.requestId, headers());
      if (operation.confirmed && !requestContext.isRemembered)
        onceTaken(response, () => dependencies.confirmations.add(context.operationId));
    } catch (error) {
      if (error instanceof HungUp) return;
      const coded = codedOf(error, log, observed);
      write(response, refusalOf(coded, requestContext), context.requestId, headers());
    } finally {
      if (requestContext.slot) leaveOnceClosed(requestContext.slot, response);
    }
  };
