import type { Client, CodedError } from '@stanza/contracts';
import type { Clock, ConcurrencySlot, Logger } from '@stanza/runtime';
import type { Request, RequestHandler, Response } from 'express';
import { errorAnswer } from '../http/answers.ts';
import { type Observed, observe } from '../http/observe.ts';
import { requestIdOf } from '../http/request-context.ts';
import { codedOf, leaveOnceClosed } from '../http/serve.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { type Maintenance, refuseDuring } from './maintenance.ts';
import type { OpenKind, OpenLimits } from './open-limits.ts';

/** What requests that are no operations share with those without a key. */
export interface GuardDependencies {
  maintenance: Pick<Maintenance, 'current'>;
  /** Slots of callers who are not known, shared by address. */
  open: OpenLimits;
  clientOf: (request: Request) => Client;
  metrics: GatewayMetrics;
  clock: Clock;
  log: Logger;
}

/**
 * One request that is no operation: it fails with a coded error, and is counted and logged like any other. Its slot is left
 * when the answer has gone out, or earlier, once its caller is known.
 */
export type Guarded = (
  request: Request,
  response: Response,
  slot: Pick<ConcurrencySlot, 'leave'>,
) => Promise<void>;

/** How a client is told to get in, or which scopes to ask for. */
const challengeFor = ({ code, status, facts }: CodedError, challenge: string): Record<string, string> => {
  if (status === 401) return { 'WWW-Authenticate': challenge };
  if (code !== 'insufficient_scope') return {};
  const scope = facts.required_scopes?.join(' ') ?? '';
  return { 'WWW-Authenticate': `${challenge}, error="insufficient_scope", scope="${scope}"` };
};

const answer = (
  response: Response,
  coded: CodedError,
  { requestId, challenge }: { requestId: string; challenge: string | undefined },
): void => {
  if (response.headersSent) return void response.destroy();
  const { status, body, headers } = errorAnswer(coded, requestId);
  response
    .status(status)
    .set({ ...headers, ...(challenge !== undefined && challengeFor(coded, challenge)) })
    .set('Cache-Control', 'no-store')
    .type('json')
    .send(body);
};

/**
 * Makes express handlers of what signing in and agents do, under the same limits and the same log as the API.
 * @param challengeOf what a 401 says of how to get in, in place of that of the API
 */
export const guarding = (dependencies: GuardDependencies, challengeOf?: (request: Request) => string) => {
  const { maintenance, open, clientOf } = dependencies;
  return (kind: OpenKind, handler: Guarded): RequestHandler =>
    async (request, response) => {
      const requestId = requestIdOf(request.get('x-request-id'));
      response.setHeader('X-Request-Id', requestId);
      const client = clientOf(request);
      const log = dependencies.log.child({ request_id: requestId });
      const observed: Observed = { operation: 'none', context: { client }, deprecated: [], log };
      observe(request, response, observed, dependencies);
      try {
        refuseDuring(maintenance);
        const slot = open.take(kind, client);
        leaveOnceClosed(slot, response);
        await handler(request, response, slot);
      } catch (error) {
        answer(response, codedOf(error, log, observed), { requestId, challenge: challengeOf?.(request) });
      }
    };
};
