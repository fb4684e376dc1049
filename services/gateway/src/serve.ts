import { CodedError, type HttpOperation } from '@stanza/contracts';
import { type Clock, type Logger, newContext, type Tracing } from '@stanza/runtime';
import type { Request, Response } from 'express';
import type { Confirmations } from './confirmations.ts';
import { asCoded, errorAnswer } from './errors.ts';
import type { Answer, Exchange, Step } from './exchange.ts';
import type { GatewayMetrics } from './metrics.ts';
import { requestIdOf } from './pipeline/request-id.ts';
import type { Route } from './routes.ts';

/** What serving needs besides the steps. */
export interface ServeParts {
  steps: readonly Step[];
  confirmations: Pick<Confirmations, 'add'>;
  metrics: GatewayMetrics;
  log: Logger;
  clock: Clock;
  tracing: Tracing;
}

/** RFC 9745: camelCase keys and paths without `/v1` are deprecated since 2026-11-21, the first release. */
const deprecatedSince = `@${Date.UTC(2026, 10, 21) / 1000}`;

const write = (
  response: Response,
  answer: Answer,
  exchange: Pick<Exchange, 'context' | 'deprecated'>,
): void => {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(answer.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(answer.body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': exchange.context.requestId,
    ...(exchange.deprecated.length > 0 ? { Deprecation: deprecatedSince } : {}),
    ...answer.headers,
  });
  response.end(answer.body);
};

const run = async (steps: readonly Step[], exchange: Exchange): Promise<Answer> => {
  for (const step of steps) await step(exchange);
  if (!exchange.answer) throw new Error('no step of the pipeline answered');
  return exchange.answer;
};

/** Continues the client's trace, or begins one; everything that the steps call belongs to it. */
const traced = (exchange: Exchange, { tracing, steps }: ServeParts): Promise<Answer> => {
  const { operation, request, context } = exchange;
  const attributes = { 'http.request.method': operation.method, 'http.route': operation.path };
  const name = `${operation.method} ${operation.path}`;
  return tracing.entry(name, request.get('traceparent'), attributes, (traceparent) => {
    if (traceparent !== undefined) context.traceparent = traceparent;
    return run(steps, exchange);
  });
};

/** A cause that nobody chose is the gateway's own surprise, and is logged with all that is known of it. */
const reportSurprise = (error: unknown, exchange: Exchange): void => {
  if (!(error instanceof CodedError)) exchange.log.error({ err: error }, 'request failed');
};

const open = (route: Route, request: Request, response: Response, parts: ServeParts): Exchange => {
  const requestId = requestIdOf(request.get('x-request-id'));
  return {
    operation: route.operation,
    request,
    response,
    context: newContext({ requestId, deadlineMs: route.operation.deadlineMs }),
    log: parts.log.child({ request_id: requestId, operation: route.operation.id }),
    deprecated: route.prefixed ? [] : ['path'],
  };
};

/** Counts and logs an exchange once its answer has left, or its client has gone. */
const watch = (exchange: Exchange, parts: ServeParts, outcome: () => { code?: string }): void => {
  const { response, request, operation, context } = exchange;
  const startedAt = parts.clock.monotonic();
  parts.metrics.inFlight.inc();
  response.once('close', () => {
    const seconds = (parts.clock.monotonic() - startedAt) / 1000;
    const answered = response.writableFinished;
    const status = answered ? String(response.statusCode) : 'aborted';
    parts.metrics.inFlight.dec();
    parts.metrics.requests.inc({ operation: operation.id, status });
    parts.metrics.duration.observe({ operation: operation.id }, seconds);
    for (const what of new Set(exchange.deprecated.map((name) => (name === 'path' ? 'path' : 'key')))) {
      parts.metrics.deprecated.inc({ operation: operation.id, what });
    }
    exchange.log.info(
      {
        method: request.method,
        path: request.path,
        status,
        ms: Math.round(seconds * 1000),
        organization_id: context.principal?.organization_id,
        environment: context.principal?.environment,
        actor: context.principal?.actor.id,
        ...outcome(),
      },
      'request',
    );
  });
};

/** Makes the express handler of a route: the pipeline, then exactly one answer and one log line. */
export const serve =
  (route: Route, parts: ServeParts) =>
  async (request: Request, response: Response): Promise<void> => {
    const exchange = open(route, request, response, parts);
    let code: string | undefined;
    watch(exchange, parts, () => (code === undefined ? {} : { code }));
    try {
      const answer = await traced(exchange, parts);
      // What the client has taken is charged; the socket has it once `finish` is emitted.
      if (route.operation.confirmed) {
        response.once('finish', () => parts.confirmations.add(exchange.context.operationId));
      }
      write(response, answer, exchange);
    } catch (error) {
      const coded = asCoded(error);
      code = coded.code;
      reportSurprise(error, exchange);
      write(response, errorAnswer(coded, exchange.context.requestId, route.operation), exchange);
    }
  };

/** Answers what no route takes: 404, with the methods that the path does take. */
export const serveUnknown =
  (parts: Pick<ServeParts, 'metrics'>, all: readonly Route[]) =>
  (request: Request, response: Response): void => {
    const requestId = requestIdOf(request.get('x-request-id'));
    const allowed = methodsOf(request.path, all);
    const hint =
      allowed.length > 0
        ? `${request.method} is not possible here; the path takes ${allowed.join(', ')}.`
        : 'There is no such path; /openapi.json lists them all.';
    parts.metrics.requests.inc({ operation: 'none', status: '404' });
    const answer = errorAnswer(new CodedError('not_found', { message: hint }), requestId);
    const headers = { ...answer.headers, ...(allowed.length > 0 ? { Allow: allowed.join(', ') } : {}) };
    write(
      response,
      { ...answer, headers },
      { context: newContext({ requestId, deadlineMs: 0 }), deprecated: [] },
    );
  };

const methodsOf = (path: string, all: readonly Route[]): HttpOperation['method'][] => {
  const given = path.split('/');
  const fits = (route: Route): boolean => {
    const parts = route.path.split('/');
    return (
      parts.length === given.length && parts.every((part, at) => part.startsWith(':') || part === given[at])
    );
  };
  return [...new Set(all.filter(fits).map((route) => route.operation.method))];
};
