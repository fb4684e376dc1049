import { z } from 'zod';
import { eventTexts } from '../event-texts.ts';
import { limits } from '../limits.ts';
import { httpOperation, internalOperation } from '../operation.ts';
import {
  batch,
  batchStatuses,
  namedTwice,
  queue,
  queuedEvent,
  queueModes,
  queuePolicyFields,
  queuePolicyInput,
  queuePolicyIssues,
  queueTargets,
} from '../resources/queue.ts';
import {
  beginsOnce,
  growingListOf,
  growingQuery,
  id,
  keyQuery,
  listOf,
  pageQuery,
  pagination,
  timestamp,
} from '../resources/values.ts';

const byId = z.strictObject({ id });
const byBatch = z.strictObject({ id, batch_id: id });

const examplePolicy = {
  name: 'Deploy digest',
  mode: 'rolling_window',
  window_seconds: 60,
  max_window_seconds: 600,
  template_id: '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f',
  channel_id: 'C0DEPLOYS',
};

/** Creates a queue policy. */
export const createQueue = httpOperation({
  id: 'create-queue',
  service: 'queue-ingest',
  summary: 'Create a queue that gathers events into digests',
  description:
    'Goes to exactly one of channel_id, recipient_email, recipient_chat_id and destination_id, or destination_key in its place. The tier limits the active queues and the modes.',
  method: 'POST',
  path: '/queues',
  access: 'queues:write',
  role: 'admin',
  status: 201,
  body: queuePolicyInput
    .superRefine((policy, context) => {
      for (const { path, message } of queuePolicyIssues(policy)) {
        context.addIssue({ code: 'custom', path: [path], message });
      }
    })
    .meta({ oneOf: [...queueTargets, 'destination_key'].map((target) => ({ required: [target] })) }),
  reply: queue,
  errors: ['template_not_found', 'not_found', 'invalid_state', 'already_exists', 'tier_limit'],
  example: examplePolicy,
});

/** Lists queue policies. */
export const listQueues = httpOperation({
  id: 'list-queues',
  service: 'queue-ingest',
  summary: 'List queues, newest first',
  method: 'GET',
  path: '/queues',
  access: 'organizations:read',
  query: pageQuery.extend({
    key: keyQuery,
    mode: z.enum(queueModes).optional(),
    is_active: z.enum(['true', 'false']).optional(),
  }),
  reply: listOf(queue),
});

/** Reads a queue policy. */
export const getQueue = httpOperation({
  id: 'get-queue',
  service: 'queue-ingest',
  summary: 'Read a queue',
  method: 'GET',
  path: '/queues/{id}',
  access: 'organizations:read',
  entityTag: {},
  params: byId,
  reply: queue,
  errors: ['not_found'],
});

/** Changes a queue policy. */
export const updateQueue = httpOperation({
  id: 'update-queue',
  service: 'queue-ingest',
  summary: 'Change a queue',
  description:
    'Absent fields keep their values. An open batch keeps the policy it began with; the change applies to the next one. Naming another target replaces the old one.',
  method: 'PATCH',
  path: '/queues/{id}',
  access: 'queues:write',
  entityTag: {},
  role: 'admin',
  params: byId,
  body: z
    .strictObject(queuePolicyFields)
    .partial()
    .superRefine((change, context) => {
      for (const { path, message } of namedTwice(change)) {
        context.addIssue({ code: 'custom', path: [path], message });
      }
    }),
  reply: queue,
  errors: ['not_found', 'template_not_found', 'invalid_state'],
  example: { window_seconds: 120, is_active: true },
});

/** Deletes a queue policy. */
export const deleteQueue = httpOperation({
  id: 'delete-queue',
  service: 'queue-ingest',
  summary: 'Delete a queue',
  description:
    'Refused while a batch is open or on its way: make it inactive and flush it first. Its batches can then no longer be read, nor failed and unknown ones retried.',
  method: 'DELETE',
  path: '/queues/{id}',
  access: 'queues:write',
  role: 'admin',
  params: byId,
  reply: z.object({ success: z.literal(true), id }),
  errors: ['not_found', 'invalid_state'],
});

/**
 * As `freeObject`, which looks at each key of each event and copies it: half of what a push took to be checked. Bodies
 * are JSON, so nothing but its kind tells whether a value is an event.
 */
const pushedEvent = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  )
  .meta({ json: { type: 'object', additionalProperties: {} } });

const eventKey = z.string().max(limits.eventKey);

/** Appends events to the open batch of a queue. */
export const pushEvents = httpOperation({
  id: 'push-events',
  service: 'queue-ingest',
  unrated: true,
  once: true,
  summary: 'Push 1-100 events',
  description:
    'All or nothing, into one batch, durable before the answer. An event is any JSON object up to 64 KiB. One whose `id` came before within 24 hours adds nothing and answers the first id.',
  method: 'POST',
  path: '/queues/{id}/events',
  access: 'queues:write',
  role: 'admin',
  idempotent: true,
  params: byId,
  body: z.strictObject({
    events: z
      .array(pushedEvent)
      .min(1)
      .max(limits.pushEvents)
      .superRefine((events, context) => {
        const texts = eventTexts(events);
        for (const [at, event] of events.entries()) {
          const key = event.id;
          if (typeof key === 'string' && !eventKey.safeParse(key).success) {
            context.addIssue({
              code: 'custom',
              path: [at, 'id'],
              message: `must have ${limits.eventKey} characters at most`,
            });
          }
          if (Buffer.byteLength(texts[at] ?? '') > limits.eventBytes) {
            context.addIssue({
              code: 'custom',
              path: [at],
              message: `must take ${limits.eventBytes / 1024} KiB at most`,
            });
          }
        }
      }),
  }),
  reply: z.object({
    batch_id: id,
    event_ids: z.array(id).describe('in the order of the request'),
    batch_status: z.enum(batchStatuses),
    window_end: timestamp,
    event_count: z.int().describe('events of the batch after the push'),
  }),
  errors: ['not_found', 'invalid_state', 'tier_limit'],
  example: { events: [{ id: 'deploy-4711', service: 'api', version: '1.4.2' }] },
});

/**
 * As {@link pushEvents}: the gateway hands a push on in the form in which it is stored, so that it is parsed and written
 * once. A queue-ingest of the previous version has {@link pushEvents} alone.
 */
export const pushPackedEvents = internalOperation({
  id: 'push-packed-events',
  service: 'queue-ingest',
  once: true,
  summary: 'Push events that are checked and packed',
  callers: ['gateway'],
  input: z.object({
    queue_id: id,
    bytes: z.array(z.int()).min(1).max(limits.pushEvents).describe('of the JSON of each event'),
    keys: z.array(z.string().nullable()).optional().describe('of each event; without it none has one'),
    packed: z.string().describe('the JSON array of the events, by zstd, in base64'),
  }),
  reply: pushEvents.reply,
  errors: pushEvents.errors,
});

/** Lists the batches of a queue. */
export const listBatches = httpOperation({
  id: 'list-batches',
  service: 'queue-ingest',
  summary: 'List the batches of a queue, newest first',
  method: 'GET',
  path: '/queues/{id}/batches',
  access: 'organizations:read',
  params: byId,
  query: growingQuery.extend({ status: z.enum(batchStatuses).optional() }).superRefine(beginsOnce),
  reply: growingListOf(batch),
  errors: ['not_found'],
});

/** Reads a batch with a page of its events. */
export const getBatch = httpOperation({
  id: 'get-batch',
  service: 'queue-ingest',
  summary: 'Read a batch and a page of its events',
  description:
    'The content of events is shown to holders of `queues:write` alone; for others `event` is null.',
  method: 'GET',
  path: '/queues/{id}/batches/{batch_id}',
  access: 'organizations:read',
  params: byBatch,
  query: pageQuery,
  reply: batch.extend({ events: z.array(queuedEvent), pagination }),
  errors: ['not_found'],
});

/** Closes the open batch of a queue now. */
export const flushQueue = httpOperation({
  id: 'flush-queue',
  service: 'queue-ingest',
  summary: 'Close the open batch now',
  method: 'POST',
  path: '/queues/{id}/flush',
  access: 'queues:write',
  role: 'admin',
  params: byId,
  reply: z.object({
    flushed: z.boolean().describe('false when no batch was open'),
    batch: batch.nullable(),
  }),
  errors: ['not_found'],
});

/** Delivers a batch again that failed, or whose outcome is unknown. */
export const retryBatch = httpOperation({
  id: 'retry-batch',
  service: 'queue-ingest',
  summary: 'Deliver a failed batch again',
  description:
    'A failed batch may be retried freely, with the version that is live now. One of unknown outcome only with confirm_not_posted: look into the channel first, since a retry is a new message. With `attempt` a request that is repeated delivers it once. That of a live batch updates the message which shows it, and posts another where that is gone. With use_current_template the digest is made by the template that the queue names now.',
  method: 'POST',
  path: '/queues/{id}/batches/{batch_id}/retry',
  access: 'queues:write',
  role: 'admin',
  params: byBatch,
  body: z
    .strictObject({
      confirm_not_posted: z.boolean().default(false).describe('you have seen that nothing was posted'),
      attempt: z
        .int()
        .min(1)
        .optional()
        .describe('the `attempt` that is retried; refused once there is another one'),
      use_current_template: z
        .boolean()
        .default(false)
        .describe(
          'take the template that the queue names now in place of the one with which the batch began',
        ),
    })
    .default({ confirm_not_posted: false, use_current_template: false }),
  reply: batch,
  errors: ['not_found', 'invalid_state'],
  example: { confirm_not_posted: false, use_current_template: false },
});
