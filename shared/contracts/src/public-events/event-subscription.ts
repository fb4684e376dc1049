import { z } from 'zod';
import { description, id, timestamp } from '../resources/values.ts';
import { publicEventTypes } from './catalogue.ts';

const type = z.enum(publicEventTypes).meta({ id: 'PublicEventType' });

/** The types of a subscription, each once. */
export const subscribedTypes = z
  .array(type)
  .min(1)
  .max(publicEventTypes.length)
  .superRefine((types, context) => {
    const twice = types.find((it, index) => types.indexOf(it) !== index);
    if (twice === undefined) return;
    context.addIssue({ code: 'custom', message: `names ${twice} more than once` });
  })
  .describe('the types of events that it takes');

/** The fields of a subscription that its owner sets, apart from its destination. */
export const eventSubscriptionFields = {
  types: subscribedTypes,
  description,
  is_active: z.boolean().describe('an inactive subscription gets no events, and none later for that time'),
} as const;

/** A subscription to events. */
export const eventSubscription = z
  .object({
    id,
    organization_id: id,
    destination_id: id.describe('where its events are delivered to'),
    types: z.array(type),
    description: z.string().optional(),
    is_active: z.boolean(),
    created_by: z.string(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'EventSubscription' });

/** See {@link eventSubscription}. */
export type EventSubscription = z.output<typeof eventSubscription>;
