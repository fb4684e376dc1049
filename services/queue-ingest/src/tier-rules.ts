import type { GrantedTier, Tenant, Transaction } from '@stanza/runtime';
import { modeNotInTier, tooManyActive } from './domain/errors.ts';
import type { QueueRow } from './domain/tables.ts';
import { countOtherActive } from './store/queues.ts';

type Judged = Pick<QueueRow, 'mode' | 'is_active'>;

/**
 * Checks a queue against the tier before it is saved; inactive queues are not limited. What was active under another tier
 * goes on, so that it may be changed in all else.
 * @param before as it is stored; undefined for a new one
 * @throws CodedError `invalid_state`
 */
export const checkTier = async (
  tx: Transaction,
  tenant: Tenant,
  tier: GrantedTier,
  queue: Pick<QueueRow, 'id'> & Judged,
  before?: Judged,
): Promise<void> => {
  if (!queue.is_active) return;
  const wasActive = before?.is_active === true;
  const isKept = wasActive && before.mode === queue.mode;
  if (!isKept && !tier.queue_modes.includes(queue.mode)) throw modeNotInTier(queue.mode, tier);
  if (wasActive) return;
  const others = await countOtherActive(tx, tenant.organizationId, queue.id);
  if (others >= tier.active_queues) throw tooManyActive(tier);
};
