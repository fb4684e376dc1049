import * as contracts from '@stanza/contracts';
import { type Database, handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { findWaiting } from '../messages/store/deferred-sends.ts';
import {
  findReservedMessages,
  type ReservedMessage,
  type ReservedOperation,
  withdrawOperations,
} from '../messages/store/reservations.ts';

const byOperation = (messages: readonly ReservedMessage[]): Map<string, ReservedMessage[]> =>
  Map.groupBy(messages, (message) => message.operation_id);

/**
 * An operation without a message has accepted nothing. It is withdrawn before the report and then checked again, for a
 * message that was accepted in between. A later one finds the withdrawal before its post.
 */
const findOrWithdraw = async (
  database: Database,
  operations: readonly ReservedOperation[],
  waiting: ReadonlySet<string>,
): Promise<Map<string, ReservedMessage[]>> => {
  const found = byOperation(await findReservedMessages(database, operations));
  const absent = operations.filter((it) => !found.has(it.operation_id) && !waiting.has(it.operation_id));
  if (absent.length === 0) return found;
  await withdrawOperations(database, absent);
  const late = byOperation(await findReservedMessages(database, absent));
  return new Map([...found, ...late]);
};

const itemOf = ({ item, id, charged, credit_log_id }: ReservedMessage) => ({
  item,
  charged: charged === true,
  credit_log_id: charged ? credit_log_id : null,
  message_id: id,
});

/** Reports to the owner of credits the outcomes of the messages for which they are reserved. */
export const reportReservations = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(contracts.reportReservations, async ({ input: { reservations } }) => {
    const waiting = await findWaiting(database, reservations);
    const found = await findOrWithdraw(database, reservations, waiting);
    return {
      reports: reservations.map(({ operation_id }) => {
        const messages = found.get(operation_id) ?? [];
        return {
          operation_id,
          open: waiting.has(operation_id) || messages.some((message) => message.charged === null),
          items: messages.filter((message) => message.charged !== null).map(itemOf),
        };
      }),
    };
  });
