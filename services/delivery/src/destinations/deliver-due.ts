import type { ErrorCode } from '@stanza/contracts';
import { Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { attempt } from './attempt.ts';
import { conclude } from './conclude.ts';
import type { DeliveryRow } from './destination-rows.ts';
import { reportDelivery } from './report-delivery.ts';
import { type ClaimedDelivery, findOpenAttempt, settleDelivery } from './store/delivery-attempts.ts';
import { findDestination } from './store/destinations.ts';

/** Milliseconds after which a delivery is looked at again that could not be tried and nobody said for how long. */
const lookAgainMs = 30_000;

/** Ends a delivery without an attempt. */
const giveUp = async (
  dependencies: Dependencies,
  tenant: Tenant,
  row: DeliveryRow,
  error: ErrorCode,
): Promise<void> => {
  const { database, destinations, outbox } = dependencies;
  const isMine = await database.transaction(async (tx) => {
    if (!(await settleDelivery(tenant, tx, row, { status: 'failed', error }))) return false;
    await reportDelivery(outbox, tx, tenant, { ...row, status: 'failed', error });
    return true;
  });
  if (isMine) destinations.count('failed');
};

/** Puts a delivery off whose destination is left alone, without using an attempt. */
const putOff = async (
  dependencies: Dependencies,
  tenant: Tenant,
  row: ClaimedDelivery,
  error: ErrorCode,
  seconds: number | undefined,
): Promise<void> => {
  if (row.is_over) return giveUp(dependencies, tenant, row, error);
  // Those who wait for the same host do not come back all at one moment.
  const delayMs =
    (seconds === undefined ? lookAgainMs : seconds * 1_000) * (1 + dependencies.destinations.random() / 2);
  await settleDelivery(tenant, dependencies.database, row, { status: 'waiting', error, delayMs });
};

/** Does what is due for a delivery that this process has taken. */
export const deliverDue = async (dependencies: Dependencies, row: ClaimedDelivery): Promise<void> => {
  const tenant = new Tenant(row.organization_id, row.environment);
  const destination = await findDestination(tenant, dependencies.database, row.destination_id);
  // Deleted since, and the delivery with it.
  if (!destination) return;
  const open = row.attempts > 0 ? await findOpenAttempt(tenant, dependencies.database, row) : undefined;
  if (open) {
    const latencyMs = Math.max(0, dependencies.clock.now().getTime() - open.started_at.getTime());
    await conclude(dependencies, tenant, row, destination, {
      outcome: 'lost',
      error: 'abandoned',
      latencyMs,
    });
    return;
  }
  // Whoever asked for the test got no answer, and waits for none any more.
  if (row.origin === 'test') return giveUp(dependencies, tenant, row, 'service_unavailable');
  if (!destination.is_active) return giveUp(dependencies, tenant, row, 'invalid_state');
  const attempted = await attempt(dependencies, tenant, row, destination);
  if (attempted.kind === 'made') {
    await conclude(dependencies, tenant, attempted.row, destination, attempted.reply);
  } else if (attempted.kind === 'not_made') {
    const { code, facts } = attempted.error;
    await putOff(dependencies, tenant, row, code, facts.retry_after);
  }
};
