import type { Batch, Queue } from '@stanza/contracts';

/** What a digest of these events is made of. */
export const digestOf = ({ id, name }: Queue, events: readonly unknown[], batch?: Batch) => ({
  queue: { id, name },
  ...(batch && {
    batch: {
      id: batch.id,
      opened_at: batch.opened_at,
      closed_at: batch.closed_at,
      close_reason: batch.close_reason,
    },
  }),
  closed: true,
  events,
  event_count: events.length,
  first: events[0],
  last: events.at(-1),
});
