import { batchStatuses, metricCatalogue } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import { countUndelivered } from '../store/housekeeping.ts';

/** Counts open and stuck batches in the background, so that scrapes read no table. */
export const measureBatches = ({ database, metrics }: Pick<Dependencies, 'database' | 'metrics'>) => {
  const count = metrics.gauge(metricCatalogue.queues.batches);
  const age = metrics.gauge(metricCatalogue.queues.batchOldest);
  const overdue = metrics.gauge(metricCatalogue.queues.batchOverdue);
  return async (): Promise<void> => {
    const found = new Map((await countUndelivered(database)).map((it) => [it.status, it]));
    overdue.set(found.get('collecting')?.overdue_seconds ?? 0);
    for (const status of batchStatuses) {
      if (status === 'delivered') continue;
      const row = found.get(status);
      count.set({ status }, row?.batches ?? 0);
      age.set({ status }, row?.seconds ?? 0);
    }
  };
};
