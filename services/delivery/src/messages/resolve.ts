import type { Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { report } from './report.ts';
import { resolveUnknown } from './store/abandoned-messages.ts';

/**
 * Turns an unknown message that was found in its channel into a sent one, and tells its origin.
 * @returns false when it was not unknown
 */
export const resolve = (
  { database, outbox, clock }: Pick<Dependencies, 'database' | 'outbox' | 'clock'>,
  tenant: Tenant,
  id: string,
  messageTs: string,
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const message = await resolveUnknown(tenant, tx, id, messageTs);
    if (!message) return false;
    await report(outbox, tx, tenant, { ...message, message_id: id, status: 'sent' }, clock.now());
    return true;
  });
