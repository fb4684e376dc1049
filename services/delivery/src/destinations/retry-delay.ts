import type { DestinationPolicy } from './destination-tables.ts';

/** The settings of the delay between attempts. */
export type RetryPolicy = Pick<
  DestinationPolicy,
  'retry_strategy' | 'retry_initial_delay_ms' | 'retry_max_delay_ms'
>;

/** Share by which a delay varies. */
const jitter = 0.1;

const growth = {
  fixed: () => 1,
  linear: (attempts: number) => attempts,
  exponential: (attempts: number) => 2 ** (attempts - 1),
} as const;

/**
 * Milliseconds until the next attempt.
 * @param attempts their number so far, from 1
 * @param random a number from 0 to 1
 * @param asked milliseconds of the answer's `Retry-After`; honoured up to the maximum
 */
export const retryDelayMs = (policy: RetryPolicy, attempts: number, random: number, asked = 0): number => {
  const longest = policy.retry_max_delay_ms;
  const grown = policy.retry_initial_delay_ms * growth[policy.retry_strategy](attempts);
  const delay = Math.min(grown, longest) * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.max(delay, Math.min(asked, longest)));
};
