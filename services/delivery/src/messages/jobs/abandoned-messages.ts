import { CodedError } from '@stanza/contracts';
import type { Dependencies } from '../../dependencies.ts';
import { isPaid } from '../end-change.ts';
import { report, settle } from '../settle.ts';
import { abandonMessages, tenantOf } from '../store/abandoned-messages.ts';

/** Messages ended by one transaction. */
const batch = 100;

const interrupted = new CodedError('service_unavailable', {
  message: 'The request was interrupted before the platform was called. Nothing was posted or changed.',
  nothing_done: true,
});
const failed = interrupted.toBody();

const unknown = new CodedError('delivery_outcome_unknown').toBody();

const endSome = ({ database, outbox, count, countChange, countEvents }: Dependencies): Promise<number> => {
  return database.transaction(async (tx) => {
    const messages = await abandonMessages(tx, { limit: batch, failed, unknown }, countEvents);
    for (const message of messages) {
      const { operation_id: operationId, item, credit_log_id: creditLogId } = message;
      const messageId = message.revises ?? message.id;
      const settled = { item, messageId, creditLogId, charged: false };
      const isReserved = message.change === null || isPaid(message.change);
      if (isReserved) await settle(outbox, tx, tenantOf(message), operationId, [settled]);
      const isUnknown = message.status === 'unknown';
      const reported = { ...message, message_id: messageId, credit_log_id: undefined };
      await report(outbox, tx, tenantOf(message), {
        ...reported,
        status: isUnknown ? 'unknown' : 'failed',
        error: isUnknown ? unknown : failed,
      });
    }
    tx.afterCommit(() => {
      for (const { status, change } of messages) {
        const verdict =
          status === 'unknown' ? { status } : ({ status: 'failed', error: interrupted } as const);
        if (change === null) count(verdict);
        else countChange(change, verdict);
      }
    });
    return messages.length;
  });
};

/**
 * Ends the messages of processes that have died, and releases their credits. Any replica may do it for any other.
 * @returns how many
 */
export const endAbandonedMessages = async (
  dependencies: Dependencies,
  signal?: AbortSignal,
): Promise<number> => {
  let ended = 0;
  let last = batch;
  while (last === batch && !signal?.aborted) {
    last = await endSome(dependencies);
    ended += last;
  }
  if (ended > 0) dependencies.log.warn({ count: ended }, 'abandoned messages were ended');
  return ended;
};
