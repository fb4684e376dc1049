import { z } from 'zod';
import { errorCodeSchema } from '../error-codes.ts';
import { limits } from '../limits.ts';
import { recipientEmail } from './message.ts';
import { onUnknown } from './on-unknown.ts';
import { description, freeObject, id, key, name, newKey, timestamp } from './values.ts';

/** When a queue's open batch is closed: a while after its last event, or at a number of events. */
export const queueModes = ['rolling_window', 'fixed_volume'] as const;

/** See {@link queueModes}. */
export type QueueMode = (typeof queueModes)[number];

/** States of a batch: it collects, is ready, is being delivered, and ends in one of the three outcomes. */
export const batchStatuses = ['collecting', 'ready', 'delivering', 'delivered', 'failed', 'unknown'] as const;

/** See {@link batchStatuses}. */
export type BatchStatus = (typeof batchStatuses)[number];

/** What closed a batch. */
export const closeReasons = [
  'window_elapsed',
  'max_window',
  'threshold',
  'size',
  'max_wait',
  'flushed',
] as const;

/** See {@link closeReasons}. */
export type CloseReason = (typeof closeReasons)[number];

const seconds = z.int().min(limits.windowSeconds.min).max(limits.windowSeconds.max);

/** Where the digests of a queue go: exactly one is given. */
export const queueTargets = ['channel_id', 'recipient_email', 'recipient_chat_id', 'destination_id'] as const;

/** The fields of a queue policy that its owner chooses, as they are given. */
export const queuePolicyFields = {
  name,
  description: description.nullable().optional(),
  mode: z.enum(queueModes),
  window_seconds: seconds
    .optional()
    .describe('rolling_window: seconds of silence after which the batch is closed'),
  max_window_seconds: seconds
    .optional()
    .describe('rolling_window: seconds after the first event at which it is closed at the latest'),
  threshold: z
    .int()
    .min(1)
    .max(limits.batchEvents)
    .optional()
    .describe('fixed_volume: events that close the batch'),
  max_wait_seconds: seconds
    .optional()
    .describe(
      'fixed_volume: seconds after the first event at which it is closed at the latest; default 86,400',
    ),
  template_id: id.nullable().optional().describe('makes the digest; may be left out for a destination'),
  template_key: key.optional().describe('the key of the template, in place of its id'),
  channel_id: z.string().min(1).max(255).nullable().optional(),
  recipient_email: recipientEmail.nullable().optional(),
  recipient_chat_id: z.string().min(1).max(255).nullable().optional(),
  destination_id: id.nullable().optional(),
  destination_key: key.optional().describe('the key of the destination, in place of its id'),
  on_unknown: onUnknown.optional(),
  live: z
    .boolean()
    .optional()
    .describe(
      'whether the message of a batch is posted with its first event, updated as events come, and once more when the batch closes; for chats. Default false',
    ),
  live_interval_seconds: z
    .int()
    .min(limits.liveIntervalSeconds.min)
    .max(limits.liveIntervalSeconds.max)
    .optional()
    .describe(`live: seconds between two updates at least; default ${limits.liveIntervalSeconds.default}`),
  is_active: z
    .boolean()
    .optional()
    .describe(
      'an inactive queue takes no events, and its open batch closes and is delivered as usual; default true',
    ),
};

/** A queue policy as it is given when it is made. */
export const queuePolicyInput = z.strictObject({ ...queuePolicyFields, key: newKey });

/** See {@link queuePolicyInput}. */
export type QueuePolicyInput = z.output<typeof queuePolicyInput>;

type PolicyFields = Omit<QueuePolicyInput, 'key'>;

interface Issue {
  path: string;
  message: string;
}

const fieldsOfMode = {
  rolling_window: ['window_seconds', 'max_window_seconds'],
  fixed_volume: ['threshold', 'max_wait_seconds'],
} as const satisfies Record<QueueMode, readonly (keyof QueuePolicyInput)[]>;

const modeIssues = (policy: PolicyFields): Issue[] => {
  const other: QueueMode = policy.mode === 'rolling_window' ? 'fixed_volume' : 'rolling_window';
  const issues: Issue[] = fieldsOfMode[other]
    .filter((field) => policy[field] !== undefined)
    .map((path) => ({ path, message: `belongs to the mode ${other}; this queue is ${policy.mode}` }));
  const needed = policy.mode === 'rolling_window' ? 'window_seconds' : 'threshold';
  if (policy[needed] === undefined) {
    issues.push({ path: needed, message: `is required with the mode ${policy.mode}` });
  }
  const { window_seconds: window, max_window_seconds: longest } = policy;
  if (window !== undefined && longest !== undefined && longest < window) {
    issues.push({ path: 'max_window_seconds', message: 'must not be less than window_seconds' });
  }
  return issues;
};

/** A template and a destination are named by id or by key, not by both. */
export const namedTwice = (policy: Partial<PolicyFields>): Issue[] =>
  (['template', 'destination'] as const)
    .filter((kind) => typeof policy[`${kind}_id`] === 'string' && policy[`${kind}_key`] !== undefined)
    .map((kind) => ({ path: `${kind}_key`, message: `give ${kind}_id or ${kind}_key, not both` }));

const targetIssues = ({ destination_key, template_key, ...named }: PolicyFields): Issue[] => {
  const policy = {
    ...named,
    destination_id: named.destination_id ?? destination_key,
    template_id: named.template_id ?? template_key,
  };
  const given = queueTargets.filter((target) => typeof policy[target] === 'string');
  if (given.length !== 1) {
    return [
      {
        path: given[1] ?? 'channel_id',
        message: `give exactly one of ${queueTargets.join(', ')}; ${given.length} were given`,
      },
    ];
  }
  if (policy.destination_id || policy.template_id) return [];
  return [{ path: 'template_id', message: 'is required: a chat message is made from a template' }];
};

/** Deliveries to a destination follow the retry rules of the destination, not those of the queue. */
const guaranteeIssues = ({ on_unknown, destination_id, destination_key }: PolicyFields): Issue[] =>
  on_unknown === 'repost' && (destination_id ?? destination_key)
    ? [{ path: 'on_unknown', message: 'repost is for chats; a destination has retry_enabled' }]
    : [];

/** A message in a chat can be updated; what a destination received cannot. */
const liveIssues = ({ live, live_interval_seconds, ...named }: PolicyFields): Issue[] => {
  if (live && (named.destination_id ?? named.destination_key)) {
    return [{ path: 'live', message: 'is for chats; a destination receives each batch once' }];
  }
  if (live || live_interval_seconds === undefined) return [];
  return [{ path: 'live_interval_seconds', message: 'belongs to a queue with live: true' }];
};

/** What is wrong with a policy as a whole; its fields have been checked one by one. */
export const queuePolicyIssues = (policy: PolicyFields): Issue[] => [
  ...namedTwice(policy),
  ...modeIssues(policy),
  ...targetIssues(policy),
  ...guaranteeIssues(policy),
  ...liveIssues(policy),
];

/** A queue policy. */
export const queue = z
  .object({
    id,
    organization_id: id,
    key,
    name: z.string(),
    description: z.string().nullable(),
    mode: z.enum(queueModes),
    window_seconds: z.int().nullable(),
    max_window_seconds: z.int().nullable(),
    threshold: z.int().nullable(),
    max_wait_seconds: z.int().nullable(),
    template_id: id.nullable(),
    channel_id: z.string().nullable(),
    recipient_email: z.string().nullable(),
    recipient_chat_id: z.string().nullable(),
    destination_id: id.nullable(),
    on_unknown: onUnknown,
    // During an upgrade, a process of the previous version leaves them out.
    live: z.boolean().optional(),
    live_interval_seconds: z.int().nullable().optional(),
    is_active: z.boolean(),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Queue' });

/** See {@link queue}. */
export type Queue = z.output<typeof queue>;

/** Entries of a digest that are named on its batch; the others are counted. */
export const namedLeftOut = 50;

/** What a digest left out, because its events did not fit: without their data. */
export const leftOut = z
  .object({
    count: z.int().min(1).describe('how many entries were left out'),
    entries: z
      .array(
        z.object({
          pointer: z.string().describe('the place in the template; empty for the whole'),
          path: z.string().nullable().describe('the value or the item in the data, such as events[2].user'),
          message: z.string().describe('the same for people, with the reason'),
        }),
      )
      .describe(`the first ${namedLeftOut} of them; those that a list had no room for stand in one entry`),
  })
  .meta({ id: 'LeftOut' });

/** See {@link leftOut}. */
export type LeftOut = z.output<typeof leftOut>;

/** A batch of events of one queue. */
export const batch = z
  .object({
    id,
    queue_id: id,
    status: z.enum(batchStatuses),
    close_reason: z.enum(closeReasons).nullable(),
    event_count: z.int(),
    opened_at: timestamp,
    window_end: timestamp.describe('when it is closed at the latest, if no more events arrive'),
    closed_at: timestamp.nullable(),
    ended_at: timestamp.nullable().describe('when its outcome became known'),
    attempt: z.int().describe('1 for the first delivery; each retry is one more'),
    error: errorCodeSchema.nullable().describe('why it failed'),
    error_details: z.string().nullable(),
    left_out: leftOut
      .nullable()
      .describe('entries of the digest that its events did not fit; null where none was left out'),
    message_id: id.nullable().describe('of a live digest from its post on'),
    delivery_id: id.nullable(),
    credit_log_id: id.nullable(),
  })
  .meta({ id: 'Batch' });

/** See {@link batch}. */
export type Batch = z.output<typeof batch>;

/** An event as it was pushed. */
export const queuedEvent = z
  .object({
    id,
    received_at: timestamp,
    event: freeObject.nullable().describe('null for a caller without the scope `queues:write`'),
  })
  .meta({ id: 'QueuedEvent' });
