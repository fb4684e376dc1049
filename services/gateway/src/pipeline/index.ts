import type { Clock, Forward } from '@stanza/runtime';
import type { Credentials } from '../access/credentials.ts';
import type { Step } from '../http/request-context.ts';
import type { IdempotencyClaims } from '../idempotency/idempotency-claims.ts';
import type { ConcurrencyLimit } from '../limits/concurrency-limit.ts';
import type { Maintenance } from '../limits/maintenance.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { call } from './call.ts';
import { idempotency } from './idempotency.ts';
import { keepClosed } from './keep-closed.ts';
import { limitClaimed, limitRate, refuseNew } from './limit-rate.ts';
import { readBody } from './read-body.ts';
import { sharePlace, takePlace } from './take-place.ts';
import { validate } from './validate.ts';

/** What the steps need. */
export interface PipelineDependencies {
  forward: Forward;
  credentials: Credentials;
  keyed: IdempotencyClaims;
  rates: RateLimits;
  maintenance: Maintenance;
  concurrencyLimit: ConcurrencyLimit;
  metrics: GatewayMetrics;
  clock: Clock;
}

const inOrder =
  (first: Step, second: Step): Step =>
  async (requestContext) => {
    await first(requestContext);
    await second(requestContext);
  };

/**
 * What happens to a request, in this order. The request id and the trace come before it, the answer and the log
 * line after it, for refused requests too.
 */
export const pipeline = ({
  forward,
  credentials,
  keyed,
  rates,
  maintenance,
  concurrencyLimit,
  metrics,
  clock,
}: PipelineDependencies): readonly Step[] => [
  keepClosed(maintenance),
  takePlace(concurrencyLimit),
  authenticate(credentials),
  authorize,
  sharePlace,
  // After authorization, so that a refused request counts against nobody.
  limitRate(rates),
  readBody(clock),
  validate,
  refuseNew(rates, keyed),
  // After validation, so that a refused request leaves no record; around the call, so that its answer is kept before it
  // is given.
  idempotency({ keyed, metrics }, inOrder(limitClaimed(rates), call(forward))),
];
