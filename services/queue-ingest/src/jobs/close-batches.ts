import { metricCatalogue } from '@stanza/contracts';
import { announce } from '../deliveries.ts';
import type { Dependencies } from '../dependencies.ts';
import { closeDue } from '../store/batches.ts';

/** Closes due batches and hands them over; replicas may do so concurrently. */
export const closeBatches = ({
  database,
  outbox,
  metrics,
  tracing,
}: Pick<Dependencies, 'database' | 'outbox' | 'metrics' | 'tracing'>) => {
  const closed = metrics.counter(metricCatalogue.queues.batchesClosed);
  const lag = metrics.histogram(metricCatalogue.queues.closingLag);
  const run = () =>
    database.transaction(async (tx) => {
      const batches = await closeDue(tx);
      for (const batch of batches) {
        // Each continues the trace of the push that began it.
        const attributes = { 'stanza.batch_id': batch.id };
        await tracing.entry('close batch', batch.traceparent ?? undefined, attributes, () =>
          announce(outbox, tx, batch),
        );
      }
      tx.afterCommit(() => {
        for (const { close_reason: reason, window_end, closed_at } of batches) {
          closed.inc({ reason });
          lag.observe((closed_at.getTime() - window_end.getTime()) / 1_000);
        }
      });
      return batches.length;
    });
  return async (): Promise<void> => {
    while ((await run()) > 0);
  };
};
