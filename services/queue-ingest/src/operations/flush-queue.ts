import { notFound, flushQueue as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import { announce } from '../deliveries.ts';
import type { Dependencies } from '../dependencies.ts';
import { presentBatch } from '../domain/present-queue.ts';
import { findBatch } from '../store/batches.ts';
import { closeOpen } from '../store/closings.ts';
import { lockQueue } from '../store/queues.ts';

/** Closes the open batch of a queue, if there is one. */
export const flushQueue = ({ database, outbox }: Pick<Dependencies, 'database' | 'outbox'>) =>
  handle(operation, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const queue = await lockQueue(tenant, tx, params.id);
      if (!queue) throw notFound('queue');
      const closed = await closeOpen(tenant, tx, queue.id, context.operationId);
      if (!closed) return { flushed: false, batch: null };
      await announce(outbox, tx, closed);
      await audit(tx, outbox, context, {
        action: 'queue.flushed',
        subject: { kind: 'queue', id: queue.id },
        changes: { batch_id: closed.id },
        at: closed.closed_at,
      });
      const batch = await findBatch(tenant, tx, queue.id, closed.id);
      return { flushed: true, batch: batch && presentBatch(batch) };
    }),
  );
