import { audit, type Tenant, type Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { type DeliveryDecision, decide } from './delivery-decision.ts';
import type { DeliveryRow, DestinationRow } from './destination-tables.ts';
import { patienceMs } from './order-delivery.ts';
import type { OutboundReply } from './outbound-reply.ts';
import { reportDelivery } from './report-delivery.ts';
import { countFailure, endAttempt, forgetFailures } from './store/delivery-attempts.ts';
import { writeDestination } from './store/destinations.ts';

/** The answer of a receiver that wants nothing any more. */
const gone = 410;

/** Makes a destination inactive after too many failures, or where it is gone, with an entry in the audit log. */
const disable = async (
  dependencies: Dependencies,
  tx: Transaction,
  tenant: Tenant,
  { id, name }: DestinationRow,
  why: { consecutive_failures: number; http_status?: number },
): Promise<void> => {
  const at = dependencies.clock.now();
  await writeDestination(tenant, tx, id, { is_active: false, disabled_at: at, updated_at: at });
  await audit(
    tx,
    dependencies.outbox,
    { requestId: `destination-${id}` },
    {
      action: 'destination.disabled',
      subject: { kind: 'destination', id },
      changes: { name, ...why },
      at,
      owner: { organization_id: tenant.organizationId, environment: tenant.environment },
      actor: { type: 'system', id: 'delivery' },
    },
  );
};

const countOutcome = async (
  dependencies: Dependencies,
  tx: Transaction,
  tenant: Tenant,
  destination: DestinationRow,
  { outcome, httpStatus }: OutboundReply,
): Promise<void> => {
  if (outcome === 'delivered') return forgetFailures(tenant, tx, destination.id);
  const now = await countFailure(tenant, tx, destination);
  if (!now?.is_active) return;
  const { consecutive_failures } = now;
  const isGone = httpStatus === gone;
  if (!isGone && consecutive_failures < dependencies.destinations.disableAfter) return;
  const why = { consecutive_failures, ...(isGone && { http_status: gone }) };
  await disable(dependencies, tx, tenant, destination, why);
};

/**
 * Writes the outcome of an attempt and decides about its delivery. Once for each attempt, whichever process reports it.
 * @param row with this attempt counted
 */
export const concludeAttempt = async (
  dependencies: Dependencies,
  tenant: Tenant,
  row: DeliveryRow,
  destination: DestinationRow,
  reply: OutboundReply,
): Promise<DeliveryDecision> => {
  const { database, destinations, outbox } = dependencies;
  const decision = decide(reply, destination, row, destinations.random());
  const delayMs = decision.status === 'waiting' ? decision.delayMs : null;
  const { status, error } = decision;
  const isFirst = await database.transaction(async (tx) => {
    const { id, attempts } = row;
    const end = { id, attempts, reply, status, error: error ?? null, delayMs, patienceMs };
    if (!(await endAttempt(tenant, tx, end))) return false;
    if (row.origin !== 'test') await countOutcome(dependencies, tx, tenant, destination, reply);
    if (status !== 'waiting') await reportDelivery(outbox, tx, tenant, { ...row, status, error });
    return true;
  });
  if (isFirst && status !== 'waiting') destinations.count(status, row.origin);
  return decision;
};
