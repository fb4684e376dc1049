import * as contracts from '@stanza/contracts';
import { auditDeletion, type Database, handle, type Tenant, type Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { reportDelivery } from '../destinations/report-delivery.ts';
import { waitingBatches } from '../destinations/store/deliveries.ts';
import {
  findDestination,
  findReferable,
  lockForDeletion,
  markForDeletion,
  removeDestination,
  unmarkForDeletion,
} from '../destinations/store/destinations.ts';
import { subscriptionsOf } from '../events/store/event-subscriptions.ts';

/** Waiting batches are reported as failed; those in flight may still arrive. */
const reportWaiting = async (
  { outbox }: Pick<Dependencies, 'outbox'>,
  tenant: Tenant,
  tx: Transaction,
  destinationId: string,
): Promise<void> => {
  for (const { is_under_way, ...batch } of await waitingBatches(tenant, tx, destinationId)) {
    const status = is_under_way ? 'unknown' : 'failed';
    await reportDelivery(outbox, tx, tenant, { ...batch, status, error: 'not_found' });
  }
};

/**
 * A batch goes to the target that its queue had when it began; a failed one may be retried, and needs the destination.
 * Queues have their names for callers who may list them.
 */
const needsUnused = (
  { queues, batches = [] }: contracts.ReplyOf<typeof contracts.listDestinationQueues>,
  principal: contracts.Principal,
): void => {
  const isNamed = contracts.mayCall(principal, contracts.listQueues);
  const queueOf = (name: string): string => (isNamed ? `queue "${name}"` : 'queue');
  const names = [
    ...queues.map(({ id, name }) => `the ${queueOf(name)} (${id})`),
    ...batches.map(({ id, status, queue }) => `a ${status} batch of the ${queueOf(queue.name)} (${id})`),
  ];
  if (names.length === 0) return;
  throw new contracts.CodedError('invalid_state', {
    message: `The destination is used by ${names.join(', ')}.`,
  });
};

/** Locked, the destination gets no new subscription. */
const needsUnsubscribed = async (tenant: Tenant, tx: Transaction, destinationId: string): Promise<void> => {
  const ids = await subscriptionsOf(tenant, tx, destinationId);
  if (ids.length === 0) return;
  throw new contracts.CodedError('invalid_state', {
    message: `The destination is used by ${ids.map((id) => `the event subscription ${id}`).join(', ')}; delete it first.`,
  });
};

/** The mark has ended: a queue may refer to the destination since it was asked for. */
const tooLate = () =>
  new contracts.CodedError('service_unavailable', {
    message: 'The deletion took too long. Nothing was deleted.',
    retry_after: 1,
    nothing_done: true,
  });

/** Does a deletion while nothing new may refer to the destination; once it is refused, everything may again. */
const whileMarked = async <T>(
  tenant: Tenant,
  database: Database,
  id: string,
  work: () => Promise<T>,
): Promise<T> => {
  const markedAt = await markForDeletion(tenant, database, id);
  if (!markedAt) throw contracts.notFound('destination');
  try {
    return await work();
  } catch (error) {
    // Where this fails as well, the mark ends by itself.
    await unmarkForDeletion(tenant, database, id, markedAt);
    throw error;
  }
};

/** Deletes a destination without queues, batches and subscriptions that deliver to it. */
export const deleteDestination = (
  dependencies: Pick<Dependencies, 'database' | 'outbox' | 'clock' | 'rpc'>,
) =>
  handle(contracts.deleteDestination, async ({ input: { params }, context, tenant, principal }) => {
    const { database, outbox, clock, rpc } = dependencies;
    const found = await findDestination(tenant, database, params.id);
    if (!found) throw contracts.notFound('destination');
    const { organization_id, environment, id: destination_id } = found;
    const whose = { organization_id, environment, destination_id };
    return whileMarked(tenant, database, found.id, async () => {
      needsUnused(await rpc.call(contracts.listDestinationQueues, whose, context), principal);
      return database.transaction(async (tx) => {
        const row = await lockForDeletion(tenant, tx, found.id);
        if (!row) throw contracts.notFound('destination');
        if (await findReferable(tenant, tx, row.id)) throw tooLate();
        await needsUnsubscribed(tenant, tx, row.id);
        await reportWaiting(dependencies, tenant, tx, row.id);
        await removeDestination(tenant, tx, row.id);
        const changes = { name: row.name };
        return auditDeletion(tx, outbox, context, {
          kind: 'destination',
          id: row.id,
          changes,
          at: clock.now(),
        });
      });
    });
  });
