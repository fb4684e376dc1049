import type { DestinationPolicy } from './destination-rows.ts';

/** What decides how long to wait between attempts. */
export type RetryPolicy = Pick<
  DestinationPolicy,
  'retry_strategy' | 'retry_initial_delay_ms' | 'retry_max_delay_ms'
>;

/** Share of a delay that it may be shorter or longer. */
const jitter = 0.1;

const growth = {
  fixed: () => 1,
  linear: (attempts: number) => attempts,
  exponential: (attempts: number) => 2 ** (attempts - 1),
} as const;

/**
 * Milliseconds to wait before the next attempt.
 * @param attempts how many there were, from 1
 * @param random a number from 0 to 1
 * @param asked milliseconds that the other side asked for; honoured up to the maximum
 */
export const retryDelayMs = (policy: RetryPolicy, attempts: number, random: number, asked = 0): number => {
  const longest = policy.retry_max_delay_ms;
  const grown = policy.retry_initial_delay_ms * growth[policy.retry_strategy](attempts);
  const delay = Math.min(grown, longest) * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.max(delay, Math.min(asked, longest)));
};
