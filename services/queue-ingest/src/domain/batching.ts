import { type BatchStatus, type CloseReason, limits } from '@stanza/contracts';
import type { Policy } from './tables.ts';

/** The state of a queue's open batch that decides about appending and closing. */
export interface OpenBatch {
  id: string;
  policy: Policy;
  event_count: number;
  byte_count: number;
  opened_at: Date;
  window_end: Date;
  latest_end: Date;
}

/** The facts of a push that batching needs. */
export interface Volume {
  events: number;
  bytes: number;
}

/** Seconds from the first event to the closing of a batch, by default. */
export const defaultLongest = {
  fixed_volume: limits.windowSeconds.max,
  /** As a multiple of the window, limited like every other wait. */
  rolling_window: 10,
} as const;

const secondsAfter = (moment: Date, seconds: number): Date => new Date(moment.getTime() + seconds * 1_000);

const earlier = (one: Date, other: Date): Date => (one <= other ? one : other);
const later = (one: Date, other: Date): Date => (one >= other ? one : other);

const longestOf = (policy: Policy): number => {
  if (policy.mode === 'fixed_volume') return policy.max_wait_seconds ?? defaultLongest.fixed_volume;
  const window = policy.window_seconds ?? limits.windowSeconds.max;
  const preset = Math.min(window * defaultLongest.rolling_window, limits.windowSeconds.max);
  return policy.max_window_seconds ?? preset;
};

/** A new, empty batch. */
export const openBatch = (id: string, policy: Policy, at: Date): OpenBatch => {
  const latest_end = secondsAfter(at, longestOf(policy));
  const window_end = latest_end;
  return { id, policy, event_count: 0, byte_count: 0, opened_at: at, window_end, latest_end };
};

/**
 * When a batch closes by time, which makes its digest due, and why: the reason of a due batch, undefined while it may
 * still collect. In SQL it is `closeDueBatches` (`store/closings.ts`); threshold and size are in {@link append}.
 */
export const endOf = (
  batch: Pick<OpenBatch, 'policy' | 'window_end' | 'latest_end'>,
  at: Date,
): CloseReason | undefined => {
  if (batch.window_end > at) return undefined;
  if (batch.policy.mode === 'fixed_volume') return 'max_wait';
  return batch.window_end < batch.latest_end ? 'window_elapsed' : 'max_window';
};

/** True when the events would exceed the limits of a batch; they then begin the next one. */
export const isTooSmallFor = (batch: OpenBatch, { events, bytes }: Volume): boolean =>
  batch.event_count > 0 &&
  (batch.event_count + events > limits.batchEvents || batch.byte_count + bytes > limits.batchBytes);

/** Replicas' clocks may differ slightly: a window never shrinks. */
const rolledTo = ({ policy, event_count, window_end, latest_end }: OpenBatch, at: Date): Date => {
  const rolled = secondsAfter(at, policy.window_seconds ?? limits.windowSeconds.max);
  return earlier(event_count === 0 ? rolled : later(rolled, window_end), latest_end);
};

/** The batch with the events of one push added, and the reason to close it, if any. */
export const append = (
  batch: OpenBatch,
  { events, bytes }: Volume,
  at: Date,
): { batch: OpenBatch; closes: CloseReason | undefined } => {
  const { policy, latest_end } = batch;
  const event_count = batch.event_count + events;
  const byte_count = batch.byte_count + bytes;
  const window_end = policy.mode === 'rolling_window' ? rolledTo(batch, at) : latest_end;
  const grown = { ...batch, event_count, byte_count, window_end };
  if (policy.mode === 'fixed_volume' && event_count >= (policy.threshold ?? limits.batchEvents)) {
    return { batch: grown, closes: 'threshold' };
  }
  const isFull = event_count >= limits.batchEvents || byte_count >= limits.batchBytes;
  return { batch: grown, closes: isFull ? 'size' : undefined };
};

/** The status of a batch as readers see it, by its close reason. */
export const statusAfter = (closes: CloseReason | undefined): BatchStatus =>
  closes === undefined ? 'collecting' : 'ready';
