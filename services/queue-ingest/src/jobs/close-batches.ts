import { metricCatalogue } from '@stanza/contracts';
import { observeShares, observeWaits, type Transaction } from '@stanza/runtime';
import { announce } from '../deliveries.ts';
import type { Dependencies } from '../dependencies.ts';
import { type ClosedBatch, closeDue, dueClosings, largestShare } from '../store/closings.ts';

type CloseDependencies = Pick<Dependencies, 'database' | 'outbox' | 'metrics' | 'tracing'>;

/** Counts what is closed, and shows how organizations share the closings of the run in progress. */
const observeClosings = ({ metrics }: CloseDependencies) => {
  const closed = metrics.counter(metricCatalogue.queues.batchesClosed);
  const lag = metrics.histogram(metricCatalogue.queues.closingLag);
  const countWait = observeWaits(metrics, 'closings');
  let current: readonly ClosedBatch[] = [];
  observeShares(metrics, 'closings', () => ({ held: current.length, largest: largestShare(current) }));
  return {
    begun: (batches: readonly ClosedBatch[]): void => {
      current = batches;
    },
    committed: (batches: readonly ClosedBatch[], hasWaited: boolean): void => {
      for (const { close_reason: reason, window_end, closed_at } of batches) {
        closed.inc({ reason });
        lag.observe((closed_at.getTime() - window_end.getTime()) / 1_000);
        if (hasWaited) countWait();
      }
    },
  };
};

/**
 * Closes due batches and hands them over; replicas may do so concurrently. Each run closes an equal share of every
 * organization, so the backlog of one delays no batch of another one.
 */
export const closeBatches = (dependencies: CloseDependencies) => {
  const { database, outbox, tracing } = dependencies;
  const closings = observeClosings(dependencies);
  const due = dueClosings();
  const close = async (tx: Transaction, organizations: readonly string[], hasWaited: boolean) => {
    const { closed, isShareFull } = await closeDue(tx, organizations);
    closings.begun(closed);
    for (const batch of closed) {
      // Each continues the trace of the push that began it.
      const attributes = { 'stanza.batch_id': batch.id };
      await tracing.entry('close batch', batch.traceparent ?? undefined, attributes, () =>
        announce(outbox, tx, batch),
      );
    }
    tx.afterCommit(() => closings.committed(closed, hasWaited));
    return isShareFull;
  };
  /** @param hasWaited the batches of this run have waited for the run before */
  const run = async (hasWaited: boolean): Promise<boolean> => {
    const organizations = await due.find(database);
    if (organizations.length === 0) return false;
    try {
      return await database.transaction((tx) => close(tx, organizations, hasWaited));
    } finally {
      closings.begun([]);
    }
  };
  return async (): Promise<void> => {
    for (let isMoreDue = await run(false); isMoreDue; ) isMoreDue = await run(true);
  };
};
