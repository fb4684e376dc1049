import type { DeliverySettings } from '../../config.ts';
import type { Dependencies } from '../../dependencies.ts';
import { deleteEndedMessages, tenantsWithMessages } from '../store/message-retention.ts';

/**
 * Deletes messages from the log past their retention. Repeats of an operation are recognized by its messages, so the
 * retention is longer than that of any idempotency key; open and unknown messages stay until they have an outcome.
 */
export const forgetMessages =
  (
    { database, log }: Pick<Dependencies, 'database' | 'log'>,
    { STANZA_MESSAGE_DAYS: days }: Pick<DeliverySettings, 'STANZA_MESSAGE_DAYS'>,
  ) =>
  async (): Promise<void> => {
    let messages = 0;
    for (const tenant of await tenantsWithMessages(database))
      messages += await deleteEndedMessages(database, tenant, days);
    if (messages > 0) log.info({ count: messages }, 'messages past their retention were deleted');
  };
