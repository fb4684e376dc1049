import { z } from 'zod';
import { interactionKinds } from '../resources/interaction.ts';
import { batch } from '../resources/queue.ts';
import { block, freeObject, id } from '../resources/values.ts';

const digestMessage = z.object({
  template_id: id,
  version_id: id,
  version_number: z.int(),
  blocks: z.array(block),
  text: z.string(),
});

const event = { service: 'api', level: 'error' };

/** What a queue delivers to a destination: the events of a batch. */
export const digestPayload = z
  .object({
    queue: z.object({ id, name: z.string() }),
    batch: batch.pick({ id: true, opened_at: true, closed_at: true, close_reason: true }),
    closed: z.boolean().describe('false while a live digest still collects; true for any other'),
    events: z.array(freeObject).describe('in the order in which they came'),
    event_count: z.int().min(1),
    first: freeObject.optional().describe('the first event'),
    last: freeObject.optional().describe('the last event'),
    message: digestMessage.optional().describe('where the queue has a template besides'),
  })
  .meta({
    id: 'DigestPayload',
    examples: [
      {
        queue: { id: '01938c2e-7b1a-7c3d-9e4f-0000a0b1c2d3', name: 'Errors' },
        batch: {
          id: '01938c2e-7b1a-7c3d-9e4f-0000b1c2d3e4',
          opened_at: '2026-11-21T08:15:00.000Z',
          closed_at: '2026-11-21T08:30:00.000Z',
          close_reason: 'window_elapsed',
        },
        closed: true,
        events: [event],
        event_count: 1,
        first: event,
        last: event,
      },
    ],
  });

/** See {@link digestPayload}. */
export type DigestPayload = z.output<typeof digestPayload>;

/** The data of a batch for its template and its destination. */
export const digestData = ({
  queue,
  batch,
  events,
}: Pick<DigestPayload, 'queue' | 'batch' | 'events'>): DigestPayload => ({
  queue,
  batch,
  closed: batch.closed_at !== null,
  events,
  event_count: events.length,
  first: events[0],
  last: events.at(-1),
});

/** What `call_destination` delivers where the template gives no payload of its own. */
export const interactionPayload = z
  .object({
    id,
    kind: z.enum(interactionKinds),
    user: z.object({ id: z.string().describe('chat id of the person'), name: z.string().optional() }),
    workspace: z.object({ id: z.string() }),
    message: z.object({
      id: id.describe('the message that it began with'),
      channel: z.string(),
      ts: z.string(),
    }),
    action: z.object({
      id: z.string().nullable().describe('the element that was used, as it stood in the message'),
      type: z.string().nullable(),
      value: z.unknown().describe('what was chosen or entered in the element'),
    }),
    form: freeObject.describe('what was entered so far, by action_id'),
  })
  .meta({
    id: 'InteractionPayload',
    examples: [
      {
        id: '01938c2e-7b1a-7c3d-9e4f-0000c2d3e4f5',
        kind: 'block_actions',
        user: { id: 'U0ADA', name: 'ada' },
        workspace: { id: 'T0ACME' },
        message: {
          id: '01938c2e-7b1a-7c3d-9e4f-0000d2c1b0a1',
          channel: 'C0DEPLOYS',
          ts: '1795249800.000100',
        },
        action: { id: 'approve', type: 'button', value: 'yes' },
        form: {},
      },
    ],
  });

/** See {@link interactionPayload}. */
export type InteractionPayload = z.output<typeof interactionPayload>;

/** What destinations receive besides events, by what it is, for the documentation. */
export const deliveredPayloads = [
  {
    name: 'digest',
    schemaName: 'DigestPayload',
    when: 'A queue with a destination has closed a batch.',
    schema: digestPayload,
  },
  {
    name: 'interaction',
    schemaName: 'InteractionPayload',
    when: 'Somebody used an element with `call_destination`. Where the element gives a `payload`, that arrives in its place.',
    schema: interactionPayload,
  },
] as const;
