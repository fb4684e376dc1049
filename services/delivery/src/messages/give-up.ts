import { setTimeout as pause } from 'node:timers/promises';
import type { CodedError } from '@stanza/contracts';
import type { Dependencies } from '../dependencies.ts';
import type { MessageOrder, PreparedMessage } from './message.ts';
import { settle } from './settle.ts';
import { findMessagesOf } from './store/messages.ts';
import { endMessages } from './store/postings.ts';
import { claimOperation } from './store/reservations.ts';
import { changeIdFrom } from './store/revisions.ts';
import { untilWritten } from './verdict.ts';

/** The part of an order that an operation's messages share. */
export type SharedOrder = Pick<MessageOrder, 'tenant' | 'context' | 'deadline' | 'log'>;

/** The fields of a message that ends without a post; the others need not be kept until then. */
type Unposted = Pick<PreparedMessage, 'id' | 'item' | 'fence' | 'creditLogId'>;

/** Milliseconds for which a request retries at least, and as many again at most. */
const patienceMs = 1_000;

/**
 * Withdraws the operation: its messages that were inserted after all fail, and the credits are released. Those of an
 * earlier request of the operation, whose post may be under way, are left to it with their credits.
 */
const withdraw = (
  { database, outbox, countEvents }: Pick<Dependencies, 'database' | 'outbox' | 'countEvents'>,
  { tenant, context: { operationId } }: Pick<SharedOrder, 'tenant' | 'context'>,
  messages: readonly Unposted[],
  error: CodedError,
): Promise<void> => {
  // A key may have made a change of a message, whose id is another.
  const fenceOf = new Map(
    messages.flatMap(({ id, fence }) => [id, changeIdFrom(id)].map((own) => [own, fence] as const)),
  );
  return database.transaction(async (tx) => {
    // With the key taken here nothing was inserted, and nothing will be.
    const isWithdrawn = await claimOperation(tenant, tx, operationId);
    const rows = isWithdrawn ? [] : await findMessagesOf(tenant, tx, operationId);
    const failed = rows.flatMap(({ id }) => {
      const fence = fenceOf.get(id);
      const ending = { status: 'failed', error: error.toBody() } as const;
      return fence === undefined ? [] : [{ tenant, id, fence, ending, attempts: [] }];
    });
    const ended = failed.length > 0 ? await endMessages(tx, failed, countEvents) : new Set<string>();
    const open = new Set(rows.filter(({ id }) => !ended.has(id)).map(({ item }) => item));
    const released = messages
      .filter(({ item }) => !open.has(item))
      .map(({ item, id: messageId, creditLogId }) => ({ item, messageId, creditLogId, charged: false }));
    if (released.length > 0) await settle(outbox, tx, tenant, operationId, released);
  });
};

/**
 * Gives up an operation whose messages were not posted. A beginning with a lost answer is withdrawn with retries, since
 * its messages may exist; where nothing was inserted one try does. A failed withdrawal is tried once more in the
 * background, so that a database that is away keeps no request waiting. Never rejects.
 * @param mayHaveBegun whether messages may have been inserted
 */
export const giveUp = async (
  dependencies: Pick<Dependencies, 'database' | 'outbox' | 'countEvents' | 'retriedWithdrawals'>,
  { tenant, context, deadline, log }: SharedOrder,
  messages: readonly PreparedMessage[],
  error: CodedError,
  mayHaveBegun: boolean,
): Promise<void> => {
  const unposted = messages.map(({ id, item, fence, creditLogId }) => ({ id, item, fence, creditLogId }));
  const write = () => withdraw(dependencies, { tenant, context }, unposted, error);
  const end = deadline.within(patienceMs * (1 + Math.random()));
  const first = mayHaveBegun ? untilWritten(end, write) : write();
  const tried = dependencies.retriedWithdrawals.add({
    first,
    again: write,
    operationId: context.operationId,
    log,
  });
  const timer = new AbortController();
  await Promise.race([tried, pause(end.remaining, undefined, { signal: timer.signal })]);
  timer.abort();
};
