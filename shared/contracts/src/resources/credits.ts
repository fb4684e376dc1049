import { z } from 'zod';
import { environmentSchema } from '../principal.ts';
import { tierNames, tierSchema } from '../tiers.ts';
import { credits, id, timestamp } from './values.ts';

/** What credits are spent on. */
export const creditOperations = ['compile', 'send', 'send-bulk', 'batch', 'schedule'] as const;

/** See {@link creditOperations}. */
export type CreditOperation = (typeof creditOperations)[number];

/** Kinds of rows of the ledger. */
export const creditKinds = ['grant', 'charge', 'reversal', 'adjustment'] as const;

/** See {@link creditKinds}. */
export type CreditKind = (typeof creditKinds)[number];

/** An organization's credits. */
export const creditBalance = z
  .object({
    organization_id: id,
    tier: z.enum(tierNames),
    balance: credits.describe('grants minus charges; negative while overage is used'),
    reserved: credits.describe('held for messages that are being sent'),
    available: credits.describe('what can be spent now, overage included'),
    overage_limit: credits,
    updated_at: timestamp,
  })
  .meta({ id: 'CreditBalance' });

/** One row of the ledger. */
export const creditLogEntry = z
  .object({
    id: id.describe('the `credit_log_id` of the compile or the message'),
    kind: z.enum(creditKinds),
    amount: credits.describe('negative for what was spent or taken away'),
    operation: z.enum(creditOperations).nullable().describe('null for grants and adjustments'),
    environment: environmentSchema.nullable().describe('null for grants: both draw on one account'),
    template_id: id.nullable(),
    key_id: z.string().nullable().describe('the key or session that paid'),
    message_id: id.nullable(),
    reason: z.string().nullable(),
    created_at: timestamp,
  })
  .meta({ id: 'CreditLogEntry' });

/** See {@link creditLogEntry}. */
export type CreditLogEntry = z.output<typeof creditLogEntry>;

/** By what use can be grouped. */
export const usageGroupings = ['day', 'operation', 'template', 'key'] as const;

/** See {@link usageGroupings}. */
export type UsageGrouping = (typeof usageGroupings)[number];

const used = {
  charges: z.int().describe('compiles and messages that were charged'),
  reversals: z.int().describe('charges taken back because their answers were lost'),
  credits: z.int().describe('what was spent: charges less reversals'),
};

/** What a day, an operation, a template or a key has used. */
export const usageGroup = z
  .object({
    group: z
      .string()
      .nullable()
      .describe('the UTC day, the operation, or the id of the template or key; null where none is known')
      .meta({ example: '2026-11-21' }),
    ...used,
  })
  .meta({ id: 'UsageGroup' });

/** Use over all groups. */
export const usageTotal = z.object(used).meta({ id: 'UsageTotal' });

const storedUse = z
  .object({
    limit: z.int(),
    used: z.int().nullable().describe('null while the service that counts does not answer'),
  })
  .meta({ id: 'StoredUse' });

/** The limits of an organization's tier, and the remainder of each. */
export const usageLimits = z
  .object({
    tier: z.enum(tierNames),
    credits: z.object({
      balance: credits,
      reserved: credits,
      available: credits.describe('what can be spent now, overage included'),
      overage_limit: credits,
      overage_used: credits,
      monthly_grant: credits,
      next_grant_at: timestamp.describe('the first of the next month, UTC'),
    }),
    events: z.object({
      per_day: z.int(),
      used_today: z.int().nullable().describe('null while the service that counts does not answer'),
      left_today: z.int().nullable(),
      resets_at: timestamp.describe('the next 00:00 UTC'),
    }),
    queues: z.object({
      active: z.int().describe('active queues at most'),
      modes: tierSchema.shape.queue_modes,
    }),
    stored: z
      .object({
        templates: storedUse,
        modals: storedUse,
        entities: storedUse,
        sample_data: storedUse,
        destinations: storedUse,
        queues: z.object({ limit: z.int().describe('queues, active or not') }),
        api_keys: storedUse.describe('keys that work'),
        invitations: storedUse.describe('pending ones'),
        members: storedUse.optional().describe('those that are deactivated included'),
        scheduled_messages: storedUse.describe('active ones'),
        scheduled_data_bytes: storedUse.describe('bytes of the data of active scheduled messages'),
        bytes: storedUse.describe(
          'bytes of blocks, steps and data: of templates with their drafts, modals and sample data',
        ),
        versions: z.object({ limit: z.int().describe('versions of one template or modal') }),
        entity_fields: z.object({ limit: z.int().describe('fields of one entity') }),
      })
      .describe('what may be stored, both environments together'),
  })
  .meta({ id: 'UsageLimits' });
