import { z } from 'zod';
import { environmentSchema } from '../principal.ts';
import { id, timestamp } from '../resources/values.ts';
import {
  messageDeleted,
  messageFailed,
  messageSent,
  messageUnknown,
  messageUpdated,
} from './message-events.ts';
import {
  batchFailed,
  connectionRevoked,
  creditsLow,
  partialActivated,
  templateActivated,
} from './other-events.ts';

/** Every event that customers subscribe to, in the order of the documentation. */
export const publicEvents = [
  messageSent,
  messageFailed,
  messageUnknown,
  messageUpdated,
  messageDeleted,
  batchFailed,
  templateActivated,
  partialActivated,
  creditsLow,
  connectionRevoked,
] as const;

/** The type of an event, as subscriptions name it. */
export type PublicEventType = (typeof publicEvents)[number]['type'];

/** The types of all events. */
export const publicEventTypes: readonly PublicEventType[] = publicEvents.map(({ type }) => type);

/** Any event, as it is listed and delivered. */
export const anyPublicEvent = z
  .discriminatedUnion('type', [
    messageSent.schema,
    messageFailed.schema,
    messageUnknown.schema,
    messageUpdated.schema,
    messageDeleted.schema,
    batchFailed.schema,
    templateActivated.schema,
    partialActivated.schema,
    creditsLow.schema,
    connectionRevoked.schema,
  ])
  .meta({ id: 'PublicEvent', examples: [messageSent.sample] });

/** See {@link anyPublicEvent}. */
export type PublicEvent = z.output<typeof anyPublicEvent>;

const envelope = {
  organization_id: id,
  environment: environmentSchema,
  subject: id.describe('what it is about: events of one subject are delivered in order'),
  created_at: timestamp,
};

const emittedWith = <Extra extends z.ZodRawShape>(extra: Extra) =>
  z.discriminatedUnion('type', [
    z.object({ ...envelope, ...extra, type: z.literal(batchFailed.type), data: batchFailed.data }),
    z.object({
      ...envelope,
      ...extra,
      type: z.literal(templateActivated.type),
      data: templateActivated.data,
    }),
    z.object({ ...envelope, ...extra, type: z.literal(partialActivated.type), data: partialActivated.data }),
    z.object({ ...envelope, ...extra, type: z.literal(creditsLow.type), data: creditsLow.data }),
  ]);

const emittedBefore = z.object({ id, event: emittedWith({}) });

/** An event of another service than delivery, on its way there. Its id is that of the work. */
export const emittedEvent = emittedWith({
  earlier: z
    .array(emittedBefore)
    .optional()
    .describe('events of the same subject that happened before and may not be recorded yet, oldest first'),
});

/** See {@link emittedEvent}. */
export type EmittedEvent = z.output<typeof emittedEvent>;
