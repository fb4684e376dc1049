import type { GrantedTier, Tenant, Transaction } from '@stanza/runtime';
import { modeNotInTier, tooManyActive } from './domain/errors.ts';
import type { QueueRow } from './domain/tables.ts';
import { countOtherActive } from './store/queues.ts';

/**
 * Checks a queue against the tier before it is saved; inactive queues are not limited.
 * @throws CodedError `invalid_state`
 */
export const checkTier = async (
  tx: Transaction,
  tenant: Tenant,
  tier: GrantedTier,
  queue: Pick<QueueRow, 'id' | 'mode' | 'is_active'>,
): Promise<void> => {
  if (!queue.is_active) return;
  if (!tier.queue_modes.includes(queue.mode)) throw modeNotInTier(queue.mode, tier);
  const others = await countOtherActive(tx, tenant.organizationId, queue.id);
  if (others >= tier.active_queues) throw tooManyActive(tier);
};
