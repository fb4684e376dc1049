import { z } from 'zod';

/** What a tier grants. Operators may change the figures; these are the defaults. */
export const tierSchema = z.object({
  monthly_credits: z.int().min(0),
  overage: z.int().min(0).describe('credits that may be spent beyond the balance'),
  events_per_day: z.int().min(0),
  active_queues: z.int().min(0),
  queue_modes: z.array(z.enum(['rolling_window', 'fixed_volume'])),
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
  },
  pro: {
    monthly_credits: 50_000,
    overage: 10_000,
    events_per_day: 100_000,
    active_queues: 10,
    queue_modes: ['rolling_window', 'fixed_volume'],
  },
  enterprise: {
    monthly_credits: 5_000_000,
    overage: 500_000,
    events_per_day: 10_000_000,
    active_queues: 100,
    queue_modes: ['rolling_window', 'fixed_volume'],
  },
};
