import { metricCatalogue } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import { countWaiting } from '../store/waiting.ts';

/** Measures the numbers of waiting messages and deliveries, and the age of the oldest of each. */
export const measureWaiting = ({ database, metrics }: Pick<Dependencies, 'database' | 'metrics'>) => {
  const { deferred, deferredOldest, deliveriesWaiting, deliveriesOldest } = metricCatalogue.delivery;
  const gauges = {
    deferred_sends: { waiting: metrics.gauge(deferred), age: metrics.gauge(deferredOldest) },
    deliveries: { waiting: metrics.gauge(deliveriesWaiting), age: metrics.gauge(deliveriesOldest) },
  };
  return async (): Promise<void> => {
    for (const { kind, waiting, age } of await countWaiting(database)) {
      gauges[kind].waiting.set(waiting);
      gauges[kind].age.set(age);
    }
  };
};
