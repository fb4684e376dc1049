import type { ErrorCode } from '@stanza/contracts';
import type { DeliveryRow, DestinationRow } from './destination-tables.ts';
import type { OutboundReply } from './outbound-reply.ts';
import { retryDelayMs } from './retry-delay.ts';

/** The next state of a delivery after an attempt. */
export type DeliveryDecision =
  | { status: 'delivered'; error?: undefined }
  | { status: 'waiting'; delayMs: number; error: ErrorCode }
  | { status: 'failed' | 'unknown'; error: ErrorCode };

const addressRefused = 'address_refused';

/** Whether the same delivery may succeed later. */
const isTransientReply = ({ outcome, error, httpStatus = 0 }: OutboundReply): boolean => {
  if (outcome === 'refused') return httpStatus === 408 || httpStatus === 429 || httpStatus >= 500;
  return error !== addressRefused;
};

const codeOf = ({ outcome, error }: OutboundReply): ErrorCode => {
  if (error === addressRefused) return 'destination_address_refused';
  return outcome === 'lost' ? 'delivery_outcome_unknown' : 'destination_failed';
};

/**
 * Whether a reply counts as a destination failure, which its breaker counts: no 4xx, and no address that Stanza
 * refuses.
 */
export const isFault = ({ outcome, error, httpStatus = 0 }: OutboundReply): boolean => {
  if (outcome === 'refused') return httpStatus >= 500;
  return outcome !== 'delivered' && error !== addressRefused;
};

/**
 * Decides the next state of a delivery: whether the destination is retried, and after how long (`retryDelayMs`). What
 * an open breaker or an inactive destination keeps from an attempt waits in `deliver-due.ts`, for a day.
 * `conclude-attempt.ts` disables a destination: at once where it is gone (410), else after too many failures.
 * @param delivery with this attempt counted
 * @param random a number from 0 to 1
 */
export const decide = (
  reply: OutboundReply,
  destination: Pick<
    DestinationRow,
    'retry_enabled' | 'max_retries' | 'retry_strategy' | 'retry_initial_delay_ms' | 'retry_max_delay_ms'
  >,
  { retries, origin }: Pick<DeliveryRow, 'retries' | 'origin'>,
  random: number,
): DeliveryDecision => {
  if (reply.outcome === 'delivered') return { status: 'delivered' };
  const error = codeOf(reply);
  // A test has one attempt, whatever the destination's settings.
  const isRepeatable = destination.retry_enabled && origin !== 'test';
  if (isRepeatable && isTransientReply(reply) && retries <= destination.max_retries) {
    return {
      status: 'waiting',
      error,
      delayMs: retryDelayMs(destination, retries, random, reply.retryAfterMs),
    };
  }
  return { status: reply.outcome === 'lost' && !isRepeatable ? 'unknown' : 'failed', error };
};
