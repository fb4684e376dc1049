import type { DeliverySettings } from '../../config.ts';
import type { Dependencies } from '../../dependencies.ts';
import { deleteEndedMessages, tenantsWithMessages } from '../store/message-retention.ts';

const dayMs = 24 * 3_600_000;

/**
 * Deletes messages from the log that have outlived their time. Operations are told from repeats by their messages, so
 * they are kept for longer than any idempotency key is; what is open or unknown stays until it is known.
 */
export const forgetMessages =
  (
    { database, clock, log }: Pick<Dependencies, 'database' | 'clock' | 'log'>,
    { STANZA_MESSAGE_DAYS: days }: Pick<DeliverySettings, 'STANZA_MESSAGE_DAYS'>,
  ) =>
  async (): Promise<void> => {
    const before = new Date(clock.now().getTime() - days * dayMs);
    let messages = 0;
    for (const tenant of await tenantsWithMessages(database))
      messages += await deleteEndedMessages(database, tenant, before);
    if (messages > 0) log.info({ count: messages }, 'old messages were deleted from the log');
  };
