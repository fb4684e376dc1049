import { notFound, getBatch as operation, type Principal } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentBatch } from '../domain/present-queue.ts';
import { findBatch } from '../store/batches.ts';
import { eventsOf } from '../store/events.ts';
import { findQueue } from '../store/queues.ts';

/** The content of an event is shown to callers with the scope to push events. */
const readsEvents = ({ scopes }: Principal): boolean => scopes.includes('queues:write');

/** Reads a batch and a page of its events, with their content for callers who may read it. */
export const getBatch = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { params, query }, tenant, principal }) => {
    if (!(await findQueue(tenant, database, params.id))) throw notFound('queue');
    const batch = await findBatch(tenant, database, params.id, params.batch_id);
    if (!batch) throw notFound('batch');
    const { limit, offset } = query;
    const events = await eventsOf(tenant, database, batch, { limit, offset });
    return {
      ...presentBatch(batch),
      events: events.map(({ id, received_at, event }) => ({
        id,
        received_at: received_at.toISOString(),
        event: readsEvents(principal) ? event : null,
      })),
      pagination: { offset, limit, total: batch.event_count },
    };
  });
