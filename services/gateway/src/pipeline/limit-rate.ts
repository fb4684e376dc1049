import { CodedError, rateHeader, rateOf, ratePolicyHeader, rates } from '@stanza/contracts';
import { type Exchange, required, type Step } from '../exchange.ts';
import type { RateLimits } from '../rate-limits.ts';

/** Counts the request against the rate of its operation, where it has one, and refuses what is over it. */
export const limitRate =
  (limits: Pick<RateLimits, 'take'>): Step =>
  async ({ operation, principal, headers }: Exchange) => {
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
