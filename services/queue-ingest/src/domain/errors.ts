import { CodedError, type QueueMode, type Tier } from '@stanza/contracts';

/** The queue takes no events at the moment. */
export const queueInactive = (): CodedError =>
  new CodedError('invalid_state', {
    message: 'The queue is inactive and takes no events; PATCH it with is_active true.',
  });

/** The tier has no such mode. */
export const modeNotInTier = (mode: QueueMode, tier: Tier): CodedError =>
  new CodedError('invalid_state', {
    message: `The tier has no queues of the mode ${mode}, only ${tier.queue_modes.join(', ')}.`,
  });

/** The tier allows no more active queues. */
export const tooManyActive = ({ active_queues }: Tier): CodedError =>
  new CodedError('invalid_state', {
    message: `The tier allows ${active_queues} active ${active_queues === 1 ? 'queue' : 'queues'}; make another one inactive first.`,
  });

/** Seconds from a moment until the next day begins in UTC, when the day's events count from 0 again. */
export const secondsUntilTomorrow = (at: Date): number => {
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1);
  return Math.ceil((midnight - at.getTime()) / 1_000);
};

/** The day's events of the tier do not reach for the push, which is refused as a whole. */
export const dayIsFull = (tier: Tier, at: Date): CodedError =>
  new CodedError('tier_limit', {
    message: `The push would take the day over the ${tier.events_per_day} events of the tier; nothing of it was taken.`,
    retry_after: secondsUntilTomorrow(at),
  });
