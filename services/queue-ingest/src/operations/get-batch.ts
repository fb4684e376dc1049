import { getBatch as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { batchNotFound, queueNotFound } from '../domain/refusals.ts';
import { batchResource } from '../domain/resources.ts';
import type { Parts } from '../parts.ts';
import { eventsOf, findBatch } from '../store/batches.ts';
import { findQueue } from '../store/queues.ts';

/** Reads a batch and a page of its events. */
export const getBatch = ({ database }: Pick<Parts, 'database'>) =>
  handle(operation, async ({ input: { params, query }, tenant }) => {
    if (!(await findQueue(tenant, database, params.id))) throw queueNotFound();
    const batch = await findBatch(tenant, database, params.id, params.batch_id);
    if (!batch) throw batchNotFound();
    const { limit, offset } = query;
    const events = await eventsOf(tenant, database, batch, { limit, offset });
    return {
      ...batchResource(batch),
      events: events.map(({ received_at, ...it }) => ({ ...it, received_at: received_at.toISOString() })),
      pagination: { offset, limit, total: batch.event_count },
    };
  });
