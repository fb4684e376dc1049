import {
  limits,
  type QueuePolicyInput,
  queuePolicyIssues,
  queueTargets,
  type updateQueue,
  validationFailed,
} from '@stanza/contracts';
import type { z } from 'zod';
import { defaultLongest } from './batching.ts';
import type { QueueRow } from './tables.ts';

/** The owner's settings of a queue. */
export type PolicyChoice = Pick<
  QueueRow,
  | 'name'
  | 'description'
  | 'mode'
  | 'window_seconds'
  | 'max_window_seconds'
  | 'threshold'
  | 'max_wait_seconds'
  | 'template_id'
  | 'channel_id'
  | 'recipient_email'
  | 'recipient_chat_id'
  | 'destination_id'
  | 'on_unknown'
  | 'live'
  | 'live_interval_seconds'
  | 'is_active'
>;

/** The changeable settings of a queue. */
export type PolicyChange = z.output<NonNullable<(typeof updateQueue)['body']>>;

/** The requested policy, with its defaults. */
export const choiceOf = (given: QueuePolicyInput): PolicyChoice => ({
  name: given.name,
  description: given.description ?? null,
  mode: given.mode,
  window_seconds: given.window_seconds ?? null,
  max_window_seconds: given.max_window_seconds ?? null,
  threshold: given.threshold ?? null,
  max_wait_seconds:
    given.mode === 'fixed_volume' ? (given.max_wait_seconds ?? defaultLongest.fixed_volume) : null,
  template_id: given.template_id ?? null,
  channel_id: given.channel_id ?? null,
  recipient_email: given.recipient_email ?? null,
  recipient_chat_id: given.recipient_chat_id ?? null,
  destination_id: given.destination_id ?? null,
  on_unknown: given.on_unknown ?? 'hold',
  live: given.live ?? false,
  live_interval_seconds: given.live
    ? (given.live_interval_seconds ?? limits.liveIntervalSeconds.default)
    : null,
  is_active: given.is_active ?? true,
});

const modeFields = (row: QueueRow, change: PolicyChange) => {
  // A new mode starts without the old mode's values.
  const kept = change.mode === undefined || change.mode === row.mode ? row : undefined;
  return {
    window_seconds: change.window_seconds ?? kept?.window_seconds ?? undefined,
    max_window_seconds: change.max_window_seconds ?? kept?.max_window_seconds ?? undefined,
    threshold: change.threshold ?? kept?.threshold ?? undefined,
    max_wait_seconds: change.max_wait_seconds ?? kept?.max_wait_seconds ?? undefined,
  };
};

/** A new target replaces the old one, of any kind. */
const targetFields = (row: QueueRow, change: PolicyChange) => {
  const kept = queueTargets.some((target) => typeof change[target] === 'string') ? undefined : row;
  const chosen = (given: string | null | undefined, old: string | null | undefined) =>
    given === undefined ? (old ?? null) : given;
  return {
    channel_id: chosen(change.channel_id, kept?.channel_id),
    recipient_email: chosen(change.recipient_email, kept?.recipient_email),
    recipient_chat_id: chosen(change.recipient_chat_id, kept?.recipient_chat_id),
    destination_id: chosen(change.destination_id, kept?.destination_id),
  };
};

/** A queue that is live no longer has no interval. */
const liveFields = (row: QueueRow, change: PolicyChange) => {
  const live = change.live ?? row.live;
  const kept = live ? (row.live_interval_seconds ?? undefined) : undefined;
  return { live, live_interval_seconds: change.live_interval_seconds ?? kept };
};

/**
 * The policy after a change.
 * @throws CodedError `validation_failed` for an inconsistent result
 */
export const changedChoice = (row: QueueRow, change: PolicyChange): PolicyChoice => {
  const merged: QueuePolicyInput = {
    name: change.name ?? row.name,
    description: change.description === undefined ? row.description : change.description,
    mode: change.mode ?? row.mode,
    ...modeFields(row, change),
    template_id: change.template_id === undefined ? row.template_id : change.template_id,
    ...targetFields(row, change),
    on_unknown: change.on_unknown ?? row.on_unknown,
    ...liveFields(row, change),
    is_active: change.is_active ?? row.is_active,
  };
  const issues = queuePolicyIssues(merged);
  if (issues.length === 0) return choiceOf(merged);
  throw validationFailed(issues.map(({ path, message }) => ({ code: 'custom', path: [path], message })));
};
