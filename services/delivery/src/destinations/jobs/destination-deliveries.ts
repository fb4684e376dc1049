import { countBy, LeasedWorker, type ServiceContext } from '@stanza/runtime';
import type { Dependencies } from '../../dependencies.ts';
import { deliverDue } from '../deliver-due.ts';
import { forgetDeliveries } from '../store/deliveries.ts';
import {
  type ClaimedDelivery,
  claimDeliveries,
  dueDeliverers,
  nextDelivery,
} from '../store/delivery-attempts.ts';

/** Deliveries in flight in this process; each mostly waits for its destination. */
const maxUnderWay = 64;
/** Of these, to one destination: a slow one leaves room for the others. */
const maxOfOne = 4;
/** Deliveries claimed at one time. */
const takenAtOnce = 8;
/** Lease of a claim, milliseconds; no attempt lasts so long. */
export const leaseMs = 75_000;
/** Milliseconds that a shutdown waits for deliveries in flight; the others are claimed again after their lease. */
const patienceMs = 15_000;

const organizationOf = (row: ClaimedDelivery): string => row.organization_id;

/** Makes the worker for destination deliveries. */
export const createDestinationDeliverer = (dependencies: Dependencies): LeasedWorker<ClaimedDelivery> => {
  const deliverers = dueDeliverers();
  const { database } = dependencies;
  return new LeasedWorker(dependencies, {
    name: 'delivery',
    share: { kind: 'deliveries', metrics: dependencies.metrics, organizationOf },
    places: maxUnderWay,
    claimedAtOnce: takenAtOnce,
    claim: async (claimed, underWay) =>
      claimDeliveries(database, leaseMs, {
        claimed,
        free: maxUnderWay - underWay.length,
        ofDestination: maxOfOne,
        byDestination: countBy(underWay, (row) => row.destination_id),
        byOrganization: countBy(underWay, organizationOf),
        organizations: await deliverers.find(database),
      }),
    run: (row) => deliverDue(dependencies, row),
    attributes: ({ id }) => ({ 'stanza.delivery_id': id }),
    facts: ({ id }) => ({ delivery_id: id }),
  });
};

const forgetMs = 10 * 60_000;

/**
 * Starts to process due deliveries.
 * @param days how long ended deliveries are kept
 */
export const startDeliveries = (
  dependencies: Dependencies,
  { every, whenDue }: Pick<ServiceContext<unknown>, 'every' | 'whenDue'>,
  days: number,
): void => {
  const deliverer = createDestinationDeliverer(dependencies);
  whenDue('deliver-to-destinations', {
    next: () => nextDelivery(dependencies.database),
    run: () => deliverer.begin(),
    close: () => deliverer.close(patienceMs),
  });
  every('forget-deliveries', forgetMs, async () => {
    await forgetDeliveries(dependencies.database, days);
  });
};
