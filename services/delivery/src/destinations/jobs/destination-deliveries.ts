import { metricCatalogue } from '@stanza/contracts';
import { LeasedWorker, type ServiceContext } from '@stanza/runtime';
import type { Dependencies } from '../../dependencies.ts';
import { deliverDue } from '../deliver-due.ts';
import { forgetDeliveries } from '../store/deliveries.ts';
import { type ClaimedDelivery, claimDeliveries, countWaitingDeliveries } from '../store/delivery-attempts.ts';

/** Deliveries under way at one time in this process; each waits for its destination most of its time. */
const mostUnderWay = 64;
/** Of these, to one destination: a slow one leaves room for the others. */
const mostOfOne = 4;
/** Deliveries taken at one time. */
const takenAtOnce = 8;
/** Milliseconds after which a delivery of a process that died over it is taken by another; no attempt lasts so long. */
export const leaseMs = 75_000;
/** Milliseconds that the end of the process waits for what is under way; the rest is found by its lease. */
const patienceMs = 15_000;
/** Rows that one statement deletes. */
const chunk = 500;
const dayMs = 24 * 3_600_000;

/** The destinations that have as much under way as they may have. */
const busyAmong = (underWay: readonly ClaimedDelivery[]): string[] =>
  [...Map.groupBy(underWay, (row) => row.destination_id)]
    .filter(([, deliveries]) => deliveries.length >= mostOfOne)
    .map(([id]) => id);

/** Makes what delivers to destinations. */
export const createDestinationDeliverer = (dependencies: Dependencies): LeasedWorker<ClaimedDelivery> =>
  new LeasedWorker(dependencies, {
    name: 'delivery',
    places: mostUnderWay,
    claimedAtOnce: takenAtOnce,
    claim: (room, underWay) => claimDeliveries(dependencies.database, leaseMs, room, busyAmong(underWay)),
    run: (row) => deliverDue(dependencies, row),
    attributes: ({ id }) => ({ 'stanza.delivery_id': id }),
    facts: ({ id }) => ({ delivery_id: id }),
  });

/** Measures how many deliveries wait, and for how long. */
export const measureDeliveries = ({ database, metrics }: Dependencies) => {
  const waiting = metrics.gauge(metricCatalogue.delivery.deliveriesWaiting);
  const age = metrics.gauge(metricCatalogue.delivery.deliveriesOldest);
  return async (): Promise<void> => {
    const { waiting: count, age: seconds } = await countWaitingDeliveries(database);
    waiting.set(count);
    age.set(seconds);
  };
};

/** Deletes deliveries, with their payloads, that came to their end so many days ago. */
export const forgetOldDeliveries = async ({ database, clock }: Dependencies, days: number): Promise<void> => {
  const before = new Date(clock.now().getTime() - days * dayMs);
  while ((await forgetDeliveries(database, before, chunk)) === chunk);
};

/** What is closed when the process ends. */
interface Closable {
  close: () => Promise<void>;
}

/** Milliseconds between two looks for deliveries that are due. */
const lookMs = 200;
const measureMs = 5_000;
const forgetMs = 10 * 60_000;

/**
 * Starts to deliver what is due.
 * @param days how long ended deliveries are kept
 * @returns to be closed when the process ends
 */
export const startDeliveries = (
  dependencies: Dependencies,
  every: ServiceContext<unknown>['every'],
  days: number,
): Closable => {
  const deliverer = createDestinationDeliverer(dependencies);
  every('deliver-to-destinations', lookMs, () => deliverer.begin());
  every('measure-deliveries', measureMs, measureDeliveries(dependencies));
  every('forget-deliveries', forgetMs, () => forgetOldDeliveries(dependencies, days));
  return { close: () => deliverer.close(patienceMs) };
};
