import { metricCatalogue } from '@stanza/contracts';
import { LeasedWorker } from '@stanza/runtime';
import type { Dependencies } from '../../dependencies.ts';
import type { DeferredOrigin } from '../../store/rows.ts';
import { type PlaceOrder, sendDeferred, tryMs } from '../deferred.ts';
import { type ClaimedSend, claimDeferred, countWaiting } from '../store/deferred-sends.ts';

/** Messages under way at one time in this process; each waits for the platform most of its time. */
const mostUnderWay = 16;
/** Those of one organization among them; the other places are for the next one that comes. */
const share = 12;
/** Milliseconds after which a message of a process that died over it is taken by another. */
const leaseMs = tryMs + 10_000;

const countByOrganization = (underWay: readonly ClaimedSend[]): Map<string, number> => {
  const grouped = Map.groupBy(underWay, (row) => row.organization_id);
  return new Map([...grouped].map(([organizationId, messages]) => [organizationId, messages.length]));
};

/** Makes what sends the messages for which nobody waits. */
export const createDeferredSender = (
  dependencies: Dependencies,
  origins: Readonly<Record<DeferredOrigin, PlaceOrder>>,
): LeasedWorker<ClaimedSend> =>
  new LeasedWorker(dependencies, {
    name: 'deferred send',
    places: mostUnderWay,
    claim: (places, underWay) =>
      claimDeferred(dependencies.database, leaseMs, {
        places,
        share,
        underWay: countByOrganization(underWay),
      }),
    run: (row) => sendDeferred(dependencies, row, origins[row.origin]),
    attributes: ({ origin, operation_id }) => ({
      'stanza.origin': origin,
      'stanza.operation_id': operation_id,
    }),
    facts: ({ operation_id }) => ({ operation_id }),
  });

/** Measures how many messages wait, and for how long. */
export const measureWaiting = ({ database, metrics }: Dependencies) => {
  const waiting = metrics.gauge(metricCatalogue.delivery.deferred);
  const age = metrics.gauge(metricCatalogue.delivery.deferredOldest);
  return async (): Promise<void> => {
    const { waiting: count, age: seconds } = await countWaiting(database);
    waiting.set(count);
    age.set(seconds);
  };
};
