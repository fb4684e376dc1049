import { httpOperations, peerAddress } from '@stanza/contracts';
import { type CallContext, type Clock, type Logger, traceIdOf } from '@stanza/runtime';
import type { Request, Response } from 'express';
import type { GatewayMetrics } from '../metrics.ts';
import type { Refused } from './http-server.ts';
import type { RequestContext } from './request-context.ts';

/** The counted and logged facts of a request; the pipeline fills them in. */
export interface Observed {
  /** Id of the operation, or "none". */
  operation: string;
  context: Pick<CallContext, 'principal' | 'traceparent' | 'client'>;
  /** The deprecated features that the request uses. */
  deprecated: readonly string[];
  log: Logger;
  requestContext?: Pick<RequestContext, 'replayOf'>;
  /** Code of the answered error. */
  code?: string;
  /** When an answer that goes on has begun, by the monotonic clock: it took its request so long, and its client ends it. */
  beganAt?: number;
}

/** Counts and logs a request once its response is sent or its client has disconnected. */
export const observe = (
  request: Request,
  response: Response,
  observed: Observed,
  { metrics, clock }: { metrics: GatewayMetrics; clock: Clock },
): void => {
  const startedAt = clock.monotonic();
  metrics.inFlight.inc();
  const end = (): void => {
    const { operation, context, deprecated, log, code, requestContext, beganAt } = observed;
    const seconds = (clock.monotonic() - startedAt) / 1000;
    const answeredSeconds = beganAt === undefined ? seconds : (beganAt - startedAt) / 1000;
    const status =
      response.writableFinished || beganAt !== undefined ? String(response.statusCode) : 'aborted';
    metrics.inFlight.dec();
    metrics.requests.inc({ operation, status });
    metrics.duration.observe({ operation }, answeredSeconds);
    for (const what of new Set(deprecated.map((name) => (name === 'path' ? 'path' : 'key')))) {
      metrics.deprecated.inc({ operation, what });
    }
    log.info(
      {
        method: request.method,
        path: loggedPath(request.path),
        status,
        ms: Math.round(seconds * 1000),
        organization_id: context.principal?.organization_id,
        environment: context.principal?.environment,
        actor: context.principal?.actor.id,
        client_address: context.client?.address ?? undefined,
        user_agent: context.client?.user_agent ?? undefined,
        code,
        replay_of: requestContext?.replayOf,
        trace_id: traceIdOf(context.traceparent),
      },
      'request',
    );
  };
  // One that fails after its client has gone, as where a file was looked for, closes no more.
  if (response.destroyed) end();
  else response.once('close', end);
};

/** Counts and logs a request that the server has refused before any route. */
export const observeRefused = (
  { status, requestId, address }: Refused,
  { metrics, log }: { metrics: GatewayMetrics; log: Logger },
): void => {
  metrics.requests.inc({ operation: 'none', status: String(status) });
  log.info(
    {
      request_id: requestId,
      operation: 'none',
      status: String(status),
      code: 'invalid_request',
      client_address: peerAddress(address),
    },
    'request',
  );
};

/** Words of the paths of the API. */
const words: ReadonlySet<string> = new Set([
  '',
  'v1',
  ...httpOperations.flatMap(({ path }) => path.split('/').filter((part) => !part.startsWith('{'))),
]);

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * A path as logged: words of the API and UUIDs, and `*` for all else. Clients put keys and codes into paths by mistake,
 * and these cannot be told from names.
 */
export const loggedPath = (path: string): string =>
  path
    .split('/')
    .map((part) => (words.has(part) || uuid.test(part) ? part : '*'))
    .join('/');
