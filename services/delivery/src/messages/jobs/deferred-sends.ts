import { countByOrganization, LeasedWorker } from '@stanza/runtime';
import type { Dependencies } from '../../dependencies.ts';
import { type PlaceOrder, sendDeferred, tryMs } from '../deferred.ts';
import type { DeferredOrigin } from '../message-tables.ts';
import { type ClaimedSend, claimDeferred, dueSenders } from '../store/deferred-sends.ts';

/** Messages in flight in this process; each mostly waits for the platform. */
const maxUnderWay = 16;
/** Of these, for one organization; the others stay free for the next one. */
const share = 12;
/** Lease of a claim, milliseconds; after it another process claims the message. */
const leaseMs = tryMs + 10_000;

/** Makes the worker for deferred messages. */
export const createDeferredSender = (
  dependencies: Dependencies,
  origins: Readonly<Record<DeferredOrigin, PlaceOrder>>,
): LeasedWorker<ClaimedSend> => {
  const senders = dueSenders();
  return new LeasedWorker(dependencies, {
    name: 'deferred send',
    share: {
      kind: 'deferred_sends',
      metrics: dependencies.metrics,
      organizationOf: (row) => row.organization_id,
    },
    places: maxUnderWay,
    claim: async (places, underWay) =>
      claimDeferred(dependencies.database, leaseMs, {
        places,
        share,
        underWay: countByOrganization(underWay),
        organizations: await senders.find(dependencies.database),
      }),
    run: (row) => sendDeferred(dependencies, row, origins[row.origin]),
    attributes: ({ origin, operation_id }) => ({
      'stanza.origin': origin,
      'stanza.operation_id': operation_id,
    }),
    facts: ({ operation_id }) => ({ operation_id }),
  });
};
