import { CodedError, rateHeader, rateOf, ratePolicyHeader, rates } from '@stanza/contracts';
import { type Exchange, keyOf, required, type Step } from '../http/request-context.ts';
import type { RateLimits } from '../limits/rate-limits.ts';

type Limits = Pick<RateLimits, 'take'>;

/** Counts the request against the rate of its operation, where it has one, and refuses what is over it. */
const count = async ({ operation, principal, headers }: Exchange, limits: Limits): Promise<void> => {
  const rate = rateOf(operation);
  if (rate === undefined) return;
  const quota = await limits.take(required(principal, 'principal').organization_id, rate);
  if (!quota) return;
  const { requests, seconds } = rates[rate];
  const { isGranted, remaining, secondsToMore } = quota;
  headers[ratePolicyHeader] = `"${rate}";q=${requests};w=${seconds}`;
  headers[rateHeader] = `"${rate}";r=${remaining};t=${secondsToMore}`;
  if (isGranted) return;
  throw new CodedError('rate_limited', {
    message: `The organization has made its ${requests} ${rate} requests of the last ${seconds} seconds; there will be more in ${secondsToMore} s.`,
    retry_after: secondsToMore,
  });
};

/** Counts a request without an `Idempotency-Key` against its rate. */
export const limitRate =
  (limits: Limits): Step =>
  (exchange) =>
    keyOf(exchange) === undefined ? count(exchange, limits) : undefined;

/** Counts a request whose `Idempotency-Key` it has claimed: a replay writes nothing, and so counts against no rate. */
export const limitClaimed =
  (limits: Limits): Step =>
  (exchange) =>
    keyOf(exchange) === undefined ? undefined : count(exchange, limits);
