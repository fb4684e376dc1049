import type { Tier } from '@stanza/contracts';
import type { Tenant, Transaction } from '@stanza/runtime';
import { modeNotInTier, tooManyActive } from './domain/errors.ts';
import type { QueueRow } from './domain/rows.ts';
import { countOtherActive } from './store/queues.ts';

/**
 * Checks a queue that is about to be saved against the tier; an inactive one may be of any mode and number.
 * @throws CodedError `invalid_state`
 */
export const checkTier = async (
  tx: Transaction,
  tenant: Tenant,
  tier: Tier,
  queue: Pick<QueueRow, 'id' | 'mode' | 'is_active'>,
): Promise<void> => {
  if (!queue.is_active) return;
  if (!tier.queue_modes.includes(queue.mode)) throw modeNotInTier(queue.mode, tier);
  const others = await countOtherActive(tx, tenant.organizationId, queue.id);
  if (others >= tier.active_queues) throw tooManyActive(tier);
};
