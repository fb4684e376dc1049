import * as contracts from '@stanza/contracts';
import { handle, newId, type Tenant } from '@stanza/runtime';
import { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import { attempt } from '../destinations/attempt.ts';
import { concludeAttempt } from '../destinations/conclude-attempt.ts';
import type { DeliveryRow, DestinationRow } from '../destinations/destination-tables.ts';
import { leaseMs } from '../destinations/jobs/destination-deliveries.ts';
import { plainHost } from '../destinations/outbound-addresses.ts';
import { presentDelivery } from '../destinations/present-delivery.ts';
import { attemptsOf, findDeliveryOf, insertDelivery } from '../destinations/store/deliveries.ts';
import { settleDelivery } from '../destinations/store/delivery-attempts.ts';
import { findDestination } from '../destinations/store/destinations.ts';

/** Milliseconds reserved for writing the outcome. */
const settlingMs = 1_000;
/** Seconds after which an operator may have enabled the host. */
const enabledSeconds = 3_600;

const checkHost = ({ destinations }: Dependencies, { url }: DestinationRow): void => {
  const host = plainHost(URL.parse(url)?.hostname ?? '');
  if (destinations.testHosts.has(host)) return;
  throw new contracts.CodedError('destination_test_host_not_enabled', { retry_after: enabledSeconds });
};

/** Stores the test as a delivery of its own, claimed by this process; unique by its operation. */
const take = async (
  { database, tracing }: Dependencies,
  tenant: Tenant,
  destination: DestinationRow,
  operationId: string,
  payload: object,
): Promise<{ row: DeliveryRow; isNew: boolean }> => {
  const id = newId();
  const isNew = await insertDelivery(tenant, database, {
    id,
    operation_id: operationId,
    destination_id: destination.id,
    origin: 'test',
    origin_id: id,
    payload: JSON.stringify(payload),
    dueInMs: leaseMs,
    patienceMs: 0,
    traceparent: tracing.current(),
  });
  const row = await findDeliveryOf(tenant, database, operationId);
  if (!row) throw contracts.notFound('destination');
  return { row, isNew };
};

const run = async (
  dependencies: Dependencies,
  tenant: Tenant,
  row: DeliveryRow,
  destination: DestinationRow,
  deadline: Deadline,
): Promise<void> => {
  const timeoutMs = Math.min(destination.timeout_ms, deadline.before(settlingMs).remaining);
  const attempted = await attempt(dependencies, tenant, row, destination, timeoutMs);
  if (attempted.kind === 'made') {
    await concludeAttempt(dependencies, tenant, attempted.row, destination, attempted.reply);
  } else if (attempted.kind === 'not_made') {
    const { error } = attempted;
    await settleDelivery(tenant, dependencies.database, row, { status: 'failed', error: error.code });
    throw error;
  }
};

/** Sends one payload to a destination and answers with the outcome. */
export const testDestination = (dependencies: Dependencies) =>
  handle(contracts.testDestination, async ({ tenant, input: { params, body }, context }) => {
    const { database, clock } = dependencies;
    const destination = await findDestination(tenant, database, params.id);
    if (!destination) throw contracts.notFound('destination');
    checkHost(dependencies, destination);
    const { row, isNew } = await take(dependencies, tenant, destination, context.operationId, body.payload);
    if (isNew) {
      await run(dependencies, tenant, row, destination, Deadline.forCaller(clock, context.deadline));
    }
    const ended = await findDeliveryOf(tenant, database, context.operationId);
    // Deleted in the meantime, and its deliveries with it.
    if (!ended) throw contracts.notFound('destination');
    const { error } = ended;
    if (error === 'destination_address_refused') throw new contracts.CodedError(error);
    if (ended.status === 'unknown' || ended.status === 'waiting') {
      throw new contracts.CodedError('delivery_outcome_unknown', {
        message: 'The payload may have arrived, but the destination did not answer in time.',
        details: `delivery ${ended.id}`,
      });
    }
    const delivery = presentDelivery(ended, await attemptsOf(tenant, database, [ended.id]), true);
    return { success: ended.status === 'delivered', delivery };
  });
