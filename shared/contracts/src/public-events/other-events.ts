import { z } from 'zod';
import { errorCodeSchema } from '../error-codes.ts';
import { closeReasons } from '../resources/queue.ts';
import { id, timestamp } from '../resources/values.ts';
import { tierNames } from '../tiers.ts';
import { publicEvent } from './declare.ts';

/** A batch failed. */
export const batchFailed = publicEvent({
  type: 'batch.failed',
  origin: 'queue-ingest',
  when:
    'The delivery of a batch has failed; it stays failed until it is retried. Each failed retry is a separate event. ' +
    'Where the response of a destination was lost, which may have the batch, the error is `delivery_outcome_unknown`.',
  subject: 'batch_id',
  data: z.object({
    batch_id: id,
    queue_id: id,
    event_count: z.int(),
    close_reason: z.enum(closeReasons).optional(),
    opened_at: timestamp,
    closed_at: timestamp.optional(),
    attempt: z.int().describe('1 for the first delivery; each retry is one more'),
    error: errorCodeSchema,
    error_details: z.string().optional(),
    message_id: id.optional(),
    delivery_id: id.optional(),
  }),
  example: {
    batch_id: '01938c2e-7b1a-7c3d-9e4f-0000b1b2b3b4',
    queue_id: '01938c2e-7b1a-7c3d-9e4f-0000c1c2c3c4',
    event_count: 12,
    close_reason: 'window_elapsed',
    opened_at: '2026-11-21T08:25:00.000Z',
    closed_at: '2026-11-21T08:30:00.000Z',
    attempt: 1,
    error: 'insufficient_credits',
  },
});

/** A version became the live one. */
export const templateActivated = publicEvent({
  type: 'template.activated',
  origin: 'template',
  when: 'A version of a template has become the live one, by an activation or a rollback.',
  subject: 'template_id',
  data: z.object({
    template_id: id,
    name: z.string(),
    version_id: id,
    version_number: z.int(),
    previous_version_id: id.optional().describe('the version that was live before'),
    activation_id: id,
    activation_number: z.int().describe('counts the activations of the template'),
    activated_by: z.string(),
    note: z.string().optional(),
  }),
  example: {
    template_id: '01938c2e-7b1a-7c3d-9e4f-0000aa11bb22',
    name: 'Deploy alert',
    version_id: '01938c2e-7b1a-7c3d-9e4f-0000cc33dd44',
    version_number: 3,
    activation_id: '01938c2e-7b1a-7c3d-9e4f-0000d5d6d7d8',
    activation_number: 2,
    activated_by: '01938c2e-7b1a-7c3d-9e4f-000060785ef2',
  },
});

/** A version of a partial became the live one. */
export const partialActivated = publicEvent({
  type: 'partial.activated',
  origin: 'template',
  when: 'A version of a partial has become the live one; templates that use it keep their version.',
  subject: 'partial_id',
  data: z.object({
    partial_id: id,
    name: z.string(),
    version_id: id,
    version_number: z.int(),
    previous_version_id: id.optional().describe('the version that was live before'),
    activation_id: id,
    activation_number: z.int().describe('counts the activations of the partial'),
    activated_by: z.string(),
    note: z.string().optional(),
  }),
  example: {
    partial_id: '01938c2e-7b1a-7c3d-9e4f-0000aa11bb33',
    name: 'Footer',
    version_id: '01938c2e-7b1a-7c3d-9e4f-0000cc33dd55',
    version_number: 2,
    activation_id: '01938c2e-7b1a-7c3d-9e4f-0000d5d6d7d9',
    activation_number: 1,
    activated_by: '01938c2e-7b1a-7c3d-9e4f-000060785ef2',
  },
});

/** Few credits are left. */
export const creditsLow = publicEvent({
  type: 'credits.low',
  origin: 'organization',
  when: 'The remaining credits have fallen below a tenth of the monthly grant of the tier. The event is not repeated until twice that number is available again. Both environments share one account, and each gets the event.',
  subject: 'organization_id',
  data: z.object({
    remaining_credits: z
      .int()
      .describe('the balance without what is reserved; negative while overage is used'),
    threshold: z.int(),
    overage: z.int().describe('credits that may be spent beyond the balance'),
    tier: z.enum(tierNames),
    monthly_credits: z.int(),
  }),
  example: { remaining_credits: 99, threshold: 100, overage: 0, tier: 'free', monthly_credits: 1_000 },
});

/** The platform refuses a token. */
export const connectionRevoked = publicEvent({
  type: 'connection.revoked',
  origin: 'delivery',
  when: 'The chat platform permanently refuses the token of a connection. Messages fail until it is connected again.',
  subject: 'connection_id',
  data: z.object({
    connection_id: id,
    workspace_id: z.string(),
    workspace_name: z.string(),
    refusal: z.string().describe("the platform's name of the refusal"),
  }),
  example: {
    connection_id: '01938c2e-7b1a-7c3d-9e4f-0000e1e2e3e4',
    workspace_id: 'T0ACME',
    workspace_name: 'Acme Rockets',
    refusal: 'token_revoked',
  },
});
