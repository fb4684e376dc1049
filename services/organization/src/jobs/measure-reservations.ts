import { metricCatalogue } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import { countOpen } from '../store/open-reservations.ts';

/** Measures the reservations that hold credits for messages without an outcome. */
export const measureReservations = ({ database, metrics }: Pick<Dependencies, 'database' | 'metrics'>) => {
  const count = metrics.gauge(metricCatalogue.organization.reservations);
  const age = metrics.gauge(metricCatalogue.organization.reservationsOldest);
  return async (): Promise<void> => {
    const { open, oldest_seconds } = await countOpen(database);
    count.set(open);
    age.set(oldest_seconds);
  };
};
