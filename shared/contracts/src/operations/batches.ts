import { z } from 'zod';
import { internalOperation } from '../operation.ts';
import { environmentSchema } from '../principal.ts';
import { batch, batchStatuses } from '../resources/queue.ts';
import { freeObject, id, timestamp } from '../resources/values.ts';
import { tierSchema } from '../tiers.ts';

const tenant = { organization_id: id, environment: environmentSchema };

/** What the tier of an organization grants. Template and delivery call it in the previous version alone. */
export const getTier = internalOperation({
  id: 'get-tier',
  service: 'organization',
  readOnly: true,
  summary: 'Read what the tier of an organization grants',
  callers: ['queue-ingest', 'template', 'delivery'],
  input: z.object({ organization_id: id }),
  // The previous version answers without the limits of what is stored; they are no concern of queues.
  reply: tierSchema.partial({ stored: true }),
  errors: ['organization_not_found'],
});

/**
 * All that delivery needs to send a batch: where it goes, what makes it, and its events. Of a batch that still collects
 * it tells the operation that shows it in the meantime.
 */
export const getBatchContent = internalOperation({
  id: 'get-batch-content',
  service: 'queue-ingest',
  readOnly: true,
  summary: 'Read a ready batch, or a live one, with its events',
  callers: ['delivery'],
  input: z.object({
    ...tenant,
    batch_id: id,
    operation_id: id,
    updates: z
      .boolean()
      .optional()
      .describe('the caller updates the message of a live batch; the previous version posts another'),
    without_events: z.boolean().optional(),
  }),
  reply: z.object({
    queue: z.object({ id, name: z.string() }),
    batch: batch.pick({ id: true, opened_at: true, closed_at: true, close_reason: true }),
    live_at: timestamp.describe('the version that was live then makes the digest'),
    live: z
      .boolean()
      .optional()
      .describe('the batch has one message, which is updated; the previous version answers without it'),
    template_id: id.nullable(),
    channel_id: z.string().nullable(),
    recipient_email: z.string().nullable(),
    recipient_chat_id: z.string().nullable(),
    destination_id: id.nullable(),
    events: z.array(freeObject).describe('in the order in which they came'),
  }),
  errors: ['not_found'],
});

/** Batches that are not yet delivered and whose policy, as of their start, refers to a resource. */
const referringBatches = z
  .array(z.object({ id, status: z.enum(batchStatuses), queue: z.object({ id, name: z.string() }) }))
  // Processes of the previous version answer without them.
  .optional()
  .describe('the first ten that are not delivered');

/** Lists the queues and batches that make digests from a template, which is not deleted while they do. */
export const listTemplateQueues = internalOperation({
  id: 'list-template-queues',
  service: 'queue-ingest',
  readOnly: true,
  summary: 'List the queues and the batches that refer to a template',
  callers: ['template'],
  input: z.object({ ...tenant, template_id: id }),
  reply: z.object({
    queues: z
      .array(
        z.object({
          id,
          name: z.string(),
          is_active: z.boolean().optional().describe('the previous version answers without it'),
        }),
      )
      .describe('the first ten'),
    batches: referringBatches,
  }),
});

/** Lists the queues and batches that go to a destination, which is not deleted while they do. */
export const listDestinationQueues = internalOperation({
  id: 'list-destination-queues',
  service: 'queue-ingest',
  readOnly: true,
  summary: 'List the queues and the batches that refer to a destination',
  callers: ['delivery'],
  input: z.object({ ...tenant, destination_id: id }),
  reply: z.object({
    queues: z.array(z.object({ id, name: z.string() })).describe('the first ten'),
    batches: referringBatches,
  }),
});
