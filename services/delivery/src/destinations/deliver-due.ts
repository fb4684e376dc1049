import type { ErrorCode } from '@stanza/contracts';
import { newContext, Tenant, toCodedError } from '@stanza/runtime';
import { checkActive } from '../active-organization.ts';
import type { Dependencies } from '../dependencies.ts';
import { attempt } from './attempt.ts';
import { concludeAttempt } from './conclude-attempt.ts';
import type { DeliveryRow } from './destination-tables.ts';
import { patienceMs } from './order-delivery.ts';
import { reportDelivery } from './report-delivery.ts';
import {
  type ClaimedDelivery,
  delayForEarlier,
  findOpenAttempt,
  settleDelivery,
} from './store/delivery-attempts.ts';
import { findDestination } from './store/destinations.ts';
import { holdDelivery } from './store/held-deliveries.ts';

/** Default delay, milliseconds, of a delivery that could not be tried. */
const lookAgainMs = 30_000;
/** Least milliseconds for which an event waits for an earlier one of its subject. */
const minDelayMs = 250;

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
  if (isMine) destinations.count('failed', row.origin);
};

/** Postpones a delivery whose destination has an open breaker, without counting an attempt. */
const putOff = async (
  dependencies: Dependencies,
  tenant: Tenant,
  row: ClaimedDelivery,
  error: ErrorCode,
  seconds: number | undefined,
): Promise<void> => {
  if (row.is_over) return giveUp(dependencies, tenant, row, error);
  // Spreads the retries of deliveries that wait for the same host.
  const delayMs =
    (seconds === undefined ? lookAgainMs : seconds * 1_000) * (1 + dependencies.destinations.random() / 2);
  await settleDelivery(tenant, dependencies.database, row, { status: 'waiting', error, delayMs });
};

/** Postpones an event while an earlier one of its subject waits for the same destination. */
const waitsForEarlier = async (
  { database, destinations }: Dependencies,
  tenant: Tenant,
  row: ClaimedDelivery,
): Promise<boolean> => {
  if (row.subject === null) return false;
  const earlierMs = await delayForEarlier(tenant, database, row);
  if (earlierMs === undefined) return false;
  const delayMs = Math.max(minDelayMs, earlierMs) * (1 + destinations.random() / 10);
  // Its own time begins with its turn.
  await settleDelivery(tenant, database, row, { status: 'waiting', error: row.error, delayMs, patienceMs });
  return true;
};

/** Milliseconds for which the status of an organization is asked for; with an attempt, less than a lease. */
const statusMs = 5_000;

/**
 * Ends a delivery of a suspended organization, and postpones one whose organization cannot be looked up.
 * @returns whether it may be sent
 */
const isOfActive = async (
  dependencies: Dependencies,
  tenant: Tenant,
  row: ClaimedDelivery,
): Promise<boolean> => {
  const context = newContext({ requestId: `delivery-${row.id}`, deadlineMs: statusMs });
  try {
    await checkActive(dependencies, tenant, context);
    return true;
  } catch (err) {
    const { code, facts } = toCodedError(err);
    if (code === 'access_denied') await giveUp(dependencies, tenant, row, code);
    else {
      dependencies.log.warn({ err, delivery_id: row.id }, 'the organization of a delivery is not known');
      await putOff(dependencies, tenant, row, 'service_unavailable', facts.retry_after);
    }
    return false;
  }
};

/** Processes a claimed delivery. */
export const deliverDue = async (dependencies: Dependencies, row: ClaimedDelivery): Promise<void> => {
  const tenant = new Tenant(row.organization_id, row.environment);
  const destination = await findDestination(tenant, dependencies.database, row.destination_id);
  // The destination was deleted in the meantime, and the delivery with it.
  if (!destination) return;
  const open = row.attempts > 0 ? await findOpenAttempt(tenant, dependencies.database, row) : undefined;
  if (open) {
    const latencyMs = Math.max(0, dependencies.clock.now().getTime() - open.started_at.getTime());
    await concludeAttempt(dependencies, tenant, row, destination, {
      outcome: 'lost',
      error: 'abandoned',
      latencyMs,
    });
    return;
  }
  // The caller of the test has timed out.
  if (row.origin === 'test') return giveUp(dependencies, tenant, row, 'service_unavailable');
  if (!destination.is_active) {
    if (row.is_over) return giveUp(dependencies, tenant, row, 'invalid_state');
    return holdDelivery(tenant, dependencies.database, row);
  }
  if (await waitsForEarlier(dependencies, tenant, row)) return;
  if (!(await isOfActive(dependencies, tenant, row))) return;
  const attempted = await attempt(dependencies, tenant, row, destination);
  if (attempted.kind === 'made') {
    await concludeAttempt(dependencies, tenant, attempted.row, destination, attempted.reply);
  } else if (attempted.kind === 'not_made') {
    const { code, facts } = attempted.error;
    await putOff(dependencies, tenant, row, code, facts.retry_after);
  }
};
