import { announce } from '../deliveries.ts';
import type { Dependencies } from '../dependencies.ts';
import { dueShowings, showDue } from '../store/live-batches.ts';

/**
 * Hands live batches with new events over, to be posted or updated; replicas may do so concurrently. Organizations take
 * turns as in {@link closeBatches}.
 */
export const showBatches = ({
  database,
  outbox,
  tracing,
}: Pick<Dependencies, 'database' | 'outbox' | 'tracing'>) => {
  const due = dueShowings();
  const run = async (): Promise<boolean> => {
    const organizations = await due.find(database);
    if (organizations.length === 0) return false;
    return database.transaction(async (tx) => {
      const { shown, isShareFull } = await showDue(tx, organizations);
      for (const batch of shown) {
        const attributes = { 'stanza.batch_id': batch.id };
        await tracing.entry('show batch', batch.traceparent ?? undefined, attributes, () =>
          announce(outbox, tx, batch),
        );
      }
      return isShareFull;
    });
  };
  return async (): Promise<void> => {
    while (await run()) {
      // The backlog of one organization delays no other.
    }
  };
};
