import { maxReposts } from '@stanza/contracts';
import { audit, newId, type Tenant, type Transaction } from '@stanza/runtime';
import { announce } from './deliveries.ts';
import type { Dependencies } from './dependencies.ts';
import { lockDelivery, retryLocked } from './store/batches.ts';

/**
 * Delivers a batch again whose message was not found, with the policy and the version of the delivery before, as a new
 * message. Its queue, which is locked, asks for that now, and did when the batch began. A delivery that was retried
 * in the meantime is none of unknown outcome.
 */
export const repostBatch = async (
  { outbox, clock }: Pick<Dependencies, 'outbox' | 'clock'>,
  tx: Transaction,
  tenant: Tenant,
  { batch_id, operation_id }: { batch_id: string; operation_id: string },
): Promise<void> => {
  const batch = await lockDelivery(tenant, tx, batch_id, operation_id);
  if (batch?.status !== 'unknown' || batch.policy.on_unknown !== 'repost') return;
  if (batch.reposts >= maxReposts) return;
  const operationId = newId();
  const delivery = { id: batch.id, operationId, policy: batch.policy, isRepost: true };
  const reposted = await retryLocked(tenant, tx, delivery);
  await announce(outbox, tx, { ...batch, operation_id: operationId });
  await audit(
    tx,
    outbox,
    { requestId: `batch-${batch.id}` },
    {
      action: 'batch.reposted',
      subject: { kind: 'batch', id: batch.id },
      changes: { queue_id: batch.queue_id, attempt: reposted.attempt, message_id: batch.message_id },
      at: clock.now(),
      owner: { organization_id: tenant.organizationId, environment: tenant.environment },
      actor: { type: 'system', id: `queue:${batch.queue_id}` },
    },
  );
};
