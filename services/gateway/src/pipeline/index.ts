import type { Clock, Forward } from '@stanza/runtime';
import type { Credentials } from '../access/credentials.ts';
import type { Step } from '../http/request-context.ts';
import type { IdempotencyClaims } from '../idempotency/idempotency-claims.ts';
import type { LostAnswers } from '../idempotency/lost-answers.ts';
import { keepClosed, type Maintenance } from '../limits/maintenance.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { GatewayMetrics } from '../metrics.ts';
import type { Streams } from '../streams/streams.ts';
import { type ConcurrencyLimits, limitClaimed, limitRate, refuseNew, shareSlot, takeSlot } from './admit.ts';
import { type AuthenticationRules, authenticate, authenticateSource } from './authenticate.ts';
import { authorize, authorizeReplay } from './authorize.ts';
import { call } from './call.ts';
import { ChangeLanes, inLane, lanedOperations } from './change-lanes.ts';
import { idempotency } from './idempotency.ts';
import { readBody, refuseUnsigned } from './read-body.ts';
import { stream } from './stream.ts';
import { validate } from './validate.ts';

/** The dependencies of the steps. */
export interface PipelineDependencies {
  forward: Forward;
  credentials: Credentials;
  authentication: AuthenticationRules;
  keyed: IdempotencyClaims;
  lostAnswers: LostAnswers;
  rates: RateLimits;
  maintenance: Maintenance;
  concurrencyLimits: ConcurrencyLimits;
  streams: Streams;
  metrics: GatewayMetrics;
  clock: Clock;
}

const inOrder =
  (first: Step, second: Step): Step =>
  async (requestContext) => {
    await first(requestContext);
    await second(requestContext);
  };

/** Calls the service: once, in turn with other changes of the resource, or again and again for a stream. */
const callOrStream = ({
  forward,
  credentials,
  authentication,
  maintenance,
  streams,
}: PipelineDependencies): Step => {
  const access = [keepClosed(maintenance), authenticate(credentials, authentication), authorize];
  const [once, streaming] = [call(forward), stream({ streams, forward, access })];
  const inTurn = inLane(new ChangeLanes(), once);
  return (requestContext) => {
    const { operation } = requestContext;
    if (operation.answers === 'stream') return streaming(requestContext);
    return lanedOperations.has(operation) ? inTurn(requestContext) : once(requestContext);
  };
};

/**
 * The steps of a request, in this order. The request id and the trace come before them, the response and the log line
 * after them, also for refused requests.
 */
export const pipeline = (dependencies: PipelineDependencies): readonly Step[] => {
  const {
    credentials,
    authentication,
    keyed,
    lostAnswers,
    rates,
    maintenance,
    concurrencyLimits,
    metrics,
    clock,
  } = dependencies;
  return [
    keepClosed(maintenance),
    takeSlot(concurrencyLimits),
    authenticate(credentials, authentication),
    authorize,
    authenticateSource(credentials),
    shareSlot,
    // After authorization, so that a refused request counts against no limit.
    limitRate(rates),
    refuseUnsigned(clock),
    readBody(clock),
    validate,
    authorizeReplay,
    refuseNew(rates, keyed),
    // After validation, so that a refused request leaves no record; around the call, so that its answer is stored before
    // it is sent.
    idempotency(
      { keyed, lostAnswers, rates, metrics },
      inOrder(limitClaimed(rates), callOrStream(dependencies)),
    ),
  ];
};
