import { batchStatuses } from '@stanza/contracts';
import type { Parts } from '../parts.ts';
import { countUndelivered } from '../store/housekeeping.ts';

/** Counts the batches that are open or stuck, beside the scrapes, which thereby read no table. */
export const measureBatches = ({
  database,
  clock,
  metrics,
}: Pick<Parts, 'database' | 'clock' | 'metrics'>) => {
  const count = metrics.gauge({
    name: 'stanza_batches',
    help: 'Batches that are not delivered, by status',
    labels: ['status'],
  });
  const age = metrics.gauge({
    name: 'stanza_batch_oldest_seconds',
    help: 'Age of the oldest batch that is not delivered, by status',
    labels: ['status'],
  });
  return async (): Promise<void> => {
    const found = new Map((await countUndelivered(database)).map((it) => [it.status, it]));
    const now = clock.now().getTime();
    for (const status of batchStatuses) {
      if (status === 'delivered') continue;
      const row = found.get(status);
      count.set({ status }, row?.batches ?? 0);
      age.set({ status }, row ? (now - row.oldest.getTime()) / 1_000 : 0);
    }
  };
};
