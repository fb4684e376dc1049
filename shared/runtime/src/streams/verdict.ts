import { isOutage } from '../outage.ts';
import { PermanentFailure, UnfinishedWork } from './consume.ts';

/** The decision about work that failed. */
export type Verdict = { kind: 'later'; delayMs: number } | { kind: 'dead' };

const firstDelayMs = 500;
const longestDelayMs = 30_000;
/** Failures after which work becomes a dead letter; outages do not count. */
const mostFailures = 12;

/**
 * The one place that decides between another delivery and a dead letter.
 * @param failures failures of this message, this one included: its deliveries, except for work that takes several
 * @param random between 0 and 1, spreads the delays
 */
export const verdictOn = (error: unknown, failures: number, random: number): Verdict => {
  if (error instanceof PermanentFailure) return { kind: 'dead' };
  if (error instanceof UnfinishedWork) return { kind: 'later', delayMs: firstDelayMs };
  if (!isOutage(error) && failures >= mostFailures) return { kind: 'dead' };
  const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures - 1, 10));
  return { kind: 'later', delayMs: Math.round(delay * (0.75 + random / 2)) };
};

/** Why work failed, for the operator. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : 'a value that is no Error was thrown';
