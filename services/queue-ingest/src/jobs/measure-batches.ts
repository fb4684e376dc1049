import { batchStatuses, metricCatalogue } from '@stanza/contracts';
import type { Parts } from '../parts.ts';
import { countUndelivered, firstEnd } from '../store/housekeeping.ts';

/** Counts the batches that are open or stuck, beside the scrapes, which thereby read no table. */
export const measureBatches = ({
  database,
  clock,
  metrics,
}: Pick<Parts, 'database' | 'clock' | 'metrics'>) => {
  const count = metrics.gauge(metricCatalogue.queues.batches);
  const age = metrics.gauge(metricCatalogue.queues.batchOldest);
  const overdue = metrics.gauge(metricCatalogue.queues.batchOverdue);
  return async (): Promise<void> => {
    const found = new Map((await countUndelivered(database)).map((it) => [it.status, it]));
    const end = await firstEnd(database);
    const now = clock.now().getTime();
    overdue.set(end ? Math.max(0, now - end.getTime()) / 1_000 : 0);
    for (const status of batchStatuses) {
      if (status === 'delivered') continue;
      const row = found.get(status);
      count.set({ status }, row?.batches ?? 0);
      age.set({ status }, row ? (now - row.oldest.getTime()) / 1_000 : 0);
    }
  };
};
