import { CodedError, type QueueMode } from '@stanza/contracts';
import type { GrantedTier } from '@stanza/runtime';

/** The queue is inactive. */
export const queueInactive = (): CodedError =>
  new CodedError('invalid_state', {
    message: 'The queue is inactive and accepts no events; PATCH it with is_active true.',
  });

/** The push came so late that it was reported as not done. */
export const pushWithdrawn = (): CodedError =>
  new CodedError('service_unavailable', {
    message: 'The push missed its deadline; nothing was done. Push again.',
    nothing_done: true,
  });

/** The tier does not include the mode. */
export const modeNotInTier = (mode: QueueMode, tier: GrantedTier): CodedError =>
  new CodedError('invalid_state', {
    message: `The tier does not include queues of the mode ${mode}, only ${tier.queue_modes.join(', ')}.`,
  });

/** The tier's limit of active queues is reached. */
export const tooManyActive = ({ active_queues }: GrantedTier): CodedError =>
  new CodedError('invalid_state', {
    message: `The tier allows ${active_queues} active ${active_queues === 1 ? 'queue' : 'queues'}; make another one inactive first.`,
  });

/** Seconds until the next day in UTC, when the daily count of events starts at 0 again. */
export const secondsUntilTomorrow = (at: Date): number => {
  const midnight = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1);
  return Math.ceil((midnight - at.getTime()) / 1_000);
};

/** The push exceeds the tier's daily limit of events and is refused as a whole. */
export const dayIsFull = (tier: GrantedTier, at: Date): CodedError =>
  new CodedError('tier_limit', {
    message: `The push would exceed the tier's limit of ${tier.events_per_day} events a day; none of it was accepted.`,
    retry_after: secondsUntilTomorrow(at),
  });
