import { z } from 'zod';
import { limits } from '../limits.ts';
import { listCursor } from '../log-place.ts';
import { httpOperation } from '../operation.ts';
import { anyPublicEvent, publicEventTypes } from '../public-events/catalogue.ts';
import { eventSubscription, eventSubscriptionFields } from '../public-events/event-subscription.ts';
import {
  deleted,
  endsLast,
  id,
  integerQuery,
  key,
  listOf,
  momentQuery,
  optionalIntegerQuery,
  pageQuery,
} from '../resources/values.ts';

const byId = z.strictObject({ id });
const { types, description, is_active } = eventSubscriptionFields;

const destinationForms = ['destination_id', 'destination_key'] as const;

const destination = {
  destination_id: id.optional().describe('where the events are delivered to; or give its key'),
  destination_key: key.optional().describe('the key of the destination, in place of its id'),
};

type Destination = Partial<Record<(typeof destinationForms)[number], string | undefined>>;

const countOf = (given: Destination): number =>
  destinationForms.filter((form) => given[form] !== undefined).length;

/** Accepts a destination that is named in one of the two ways at most. */
const isOneAtMost = (given: Destination, context: Pick<z.core.$RefinementCtx, 'addIssue'>): void => {
  if (countOf(given) < 2) return;
  const message = 'give destination_id or destination_key, not both';
  context.addIssue({ code: 'custom', path: ['destination_key'], message });
};

/** Lists subscriptions to events. */
export const listEventSubscriptions = httpOperation({
  id: 'list-event-subscriptions',
  service: 'delivery',
  summary: 'List subscriptions to events, newest first',
  method: 'GET',
  path: '/event-subscriptions',
  access: 'destinations:read',
  query: pageQuery.extend({
    destination_id: id.optional().describe('those that deliver to this destination'),
    destination_key: destination.destination_key,
    type: z.enum(publicEventTypes).optional().describe('those that take this type'),
  }),
  reply: listOf(eventSubscription),
});

/** Subscribes a destination to events. */
export const createEventSubscription = httpOperation({
  id: 'create-event-subscription',
  service: 'delivery',
  summary: 'Subscribe a destination to events',
  description: `Events that happen after the answer are delivered to the destination, signed, with its retries. An environment has ${limits.eventSubscriptions} subscriptions at most. Several that take a type for one destination deliver each event to it once. Requires the scope usage:read besides, by which events are read.`,
  method: 'POST',
  path: '/event-subscriptions',
  access: 'destinations:write',
  status: 201,
  body: z
    .strictObject({
      ...destination,
      types,
      description: description.optional(),
      is_active: is_active.default(true),
    })
    .superRefine((body, context) => {
      isOneAtMost(body, context);
      if (countOf(body) > 0) return;
      const message = 'is required, or destination_key in its place';
      context.addIssue({ code: 'custom', path: ['destination_id'], message });
    })
    .meta({ oneOf: destinationForms.map((form) => ({ required: [form] })) }),
  reply: eventSubscription,
  errors: ['not_found', 'invalid_state'],
  example: {
    destination_id: '01938c2e-7b1a-7c3d-9e4f-0000f1f2f3f4',
    types: ['message.failed', 'message.unknown', 'credits.low'],
    description: 'Pages the people on call',
  },
});

/** Reads a subscription. */
export const getEventSubscription = httpOperation({
  id: 'get-event-subscription',
  service: 'delivery',
  summary: 'Read a subscription to events',
  method: 'GET',
  path: '/event-subscriptions/{id}',
  access: 'destinations:read',
  params: byId,
  reply: eventSubscription,
  errors: ['not_found'],
});

/** Changes a subscription. */
export const updateEventSubscription = httpOperation({
  id: 'update-event-subscription',
  service: 'delivery',
  summary: 'Change a subscription to events',
  description: 'What is left out stays. Deliveries that wait go to the destination of their time.',
  method: 'PATCH',
  path: '/event-subscriptions/{id}',
  access: 'destinations:write',
  params: byId,
  body: z
    .strictObject({ ...destination, types, description, is_active })
    .partial()
    .superRefine(isOneAtMost),
  reply: eventSubscription,
  errors: ['not_found'],
  example: { types: ['message.failed'], is_active: false },
});

/** Deletes a subscription. */
export const deleteEventSubscription = httpOperation({
  id: 'delete-event-subscription',
  service: 'delivery',
  summary: 'Delete a subscription to events',
  description: 'Deliveries that wait are delivered all the same.',
  method: 'DELETE',
  path: '/event-subscriptions/{id}',
  access: 'destinations:write',
  params: byId,
  reply: deleted,
  errors: ['not_found'],
});

/** Lists events. */
export const listEvents = httpOperation({
  id: 'list-events',
  service: 'delivery',
  summary: 'List the events of the environment, newest first',
  description:
    'Events for which there was a subscription when they happened, for 30 days unless the operator chose otherwise. Continue with the `next_cursor` of the previous answer: new events shift nothing.',
  method: 'GET',
  path: '/events',
  access: 'usage:read',
  query: z
    .strictObject({
      type: z.enum(publicEventTypes).optional().describe('events of this type'),
      from: momentQuery.optional().describe('events at or after this moment'),
      to: momentQuery.optional().describe('events before this moment'),
      limit: optionalIntegerQuery(1, limits.page).describe('most events of the answer'),
      count: integerQuery(1, limits.page, limits.defaultPage).describe('the old name of `limit`'),
      cursor: listCursor
        .optional()
        .describe('`next_cursor` of the previous answer; default: from the newest event'),
    })
    .superRefine(endsLast),
  reply: z
    .object({
      data: z.array(anyPublicEvent),
      next_cursor: z.string().nullable().describe('continues with older events; null at the end'),
    })
    .meta({ id: 'EventPage' }),
});
