import { z } from 'zod';
import { limits } from './limits.ts';

/** What an organization may store, both environments together. */
export const storedLimits = z.object({
  templates: z.int().min(0),
  versions: z.int().min(1).describe('versions of one template or modal'),
  modals: z.int().min(0),
  entities: z.int().min(0),
  entity_fields: z.int().min(0).max(limits.entityFields).describe('fields of one entity'),
  sample_data: z.int().min(0),
  destinations: z.int().min(0),
  queues: z.int().min(0).describe('active or not'),
  api_keys: z.int().min(0).describe('those that work'),
  invitations: z.int().min(0).describe('pending ones'),
  // Release 0.2.0, next to which this one runs during an upgrade, answers none.
  members: z.int().min(1).optional().describe('those that are deactivated included'),
  scheduled_messages: z.int().min(0).describe('active ones'),
  scheduled_data_bytes: z.int().min(0).describe('bytes of the data of active scheduled messages'),
  bytes: z
    .int()
    .min(0)
    .describe('bytes of blocks, steps and data, of templates with their drafts, modals and sample data'),
});

/** See {@link storedLimits}. */
export type StoredLimits = z.output<typeof storedLimits>;

/** What an organization stores, and its tier limits. */
export type StoredKind = keyof StoredLimits;

/** What a tier grants. Operators may change the figures; these are the defaults. */
export const tierSchema = z.object({
  monthly_credits: z.int().min(0),
  overage: z.int().min(0).describe('credits that may be spent beyond the balance'),
  events_per_day: z.int().min(0),
  active_queues: z.int().min(0),
  queue_modes: z.array(z.enum(['rolling_window', 'fixed_volume'])),
  stored: storedLimits,
});

/** See {@link tierSchema}. */
export type Tier = z.output<typeof tierSchema>;

/** Names of the tiers. */
export const tierNames = ['free', 'pro', 'enterprise'] as const;

/** The name of a tier. */
export type TierName = (typeof tierNames)[number];

/** The tiers as they are unless configured otherwise. */
export const defaultTiers: Record<TierName, Tier> = {
  free: {
    monthly_credits: 1_000,
    overage: 0,
    events_per_day: 1_000,
    active_queues: 1,
    queue_modes: ['fixed_volume'],
    stored: {
      templates: 500,
      versions: 500,
      modals: 200,
      entities: 200,
      entity_fields: 200,
      sample_data: 500,
      destinations: 50,
      queues: 20,
      api_keys: 100,
      invitations: 100,
      members: 1_000,
      scheduled_messages: 500,
      scheduled_data_bytes: 10_000_000,
      bytes: 50_000_000,
    },
  },
  pro: {
    monthly_credits: 50_000,
    overage: 10_000,
    events_per_day: 100_000,
    active_queues: 10,
    queue_modes: ['rolling_window', 'fixed_volume'],
    stored: {
      templates: 5_000,
      versions: 2_000,
      modals: 2_000,
      entities: 2_000,
      entity_fields: 500,
      sample_data: 5_000,
      destinations: 500,
      queues: 200,
      api_keys: 1_000,
      invitations: 1_000,
      members: 10_000,
      scheduled_messages: 5_000,
      scheduled_data_bytes: 200_000_000,
      bytes: 1_000_000_000,
    },
  },
  enterprise: {
    monthly_credits: 5_000_000,
    overage: 500_000,
    events_per_day: 10_000_000,
    active_queues: 100,
    queue_modes: ['rolling_window', 'fixed_volume'],
    stored: {
      templates: 50_000,
      versions: 5_000,
      modals: 20_000,
      entities: 20_000,
      entity_fields: 500,
      sample_data: 50_000,
      destinations: 5_000,
      queues: 2_000,
      api_keys: 10_000,
      invitations: 10_000,
      members: 100_000,
      scheduled_messages: 50_000,
      scheduled_data_bytes: 4_000_000_000,
      bytes: 20_000_000_000,
    },
  },
};
