import { setTimeout as pause } from 'node:timers/promises';
import { isUnavailable } from '@stanza/runtime';
import { outcomeUnknown } from '../chat/errors.ts';
import type { Deadline } from '../deadline.ts';
import type { Dependencies } from '../dependencies.ts';
import type { PreparedMessage } from './message.ts';
import { resolve } from './settle.ts';
import { findMessageOf } from './store/messages.ts';
import type { Ending } from './store/postings.ts';
import type { Verdict } from './verdict.ts';

/** Milliseconds between tries to write while the database is away. */
const retryMs = 250;

/** Writes what became of a message, as often as the deadline allows while the database is away. */
export const untilWritten = async <T>(deadline: Deadline, write: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await write();
    } catch (err) {
      if (!isUnavailable(err) || deadline.remaining < retryMs) throw err;
      await pause(retryMs);
    }
  }
};

/** Milliseconds until a message whose outcome is unknown is looked up once more, by whichever replica comes first. */
const firstLookupMs = 10_000;

const endingOf = (verdict: Verdict, messageId: string): Ending => {
  if (verdict.status === 'sent') return verdict;
  if (verdict.status === 'failed') return { status: 'failed', error: verdict.error.toBody() };
  return { status: 'unknown', error: outcomeUnknown(messageId).toBody(), lookUpAfterMs: firstLookupMs };
};

/** True when the row says what the verdict says: an earlier try was committed though its answer was lost. */
const isWritten = async (
  { database }: Dependencies,
  { tenant, context, item }: PreparedMessage,
  verdict: Verdict,
): Promise<boolean> => {
  const row = await findMessageOf(tenant, database, context.operationId, item);
  return row?.status === verdict.status && (verdict.status !== 'sent' || row.charged === true);
};

/** The verdict that stands after it was written: when the sweep came first, the message is unknown and not charged. */
const concludeOnce = async (
  dependencies: Dependencies,
  message: PreparedMessage,
  verdict: Verdict,
): Promise<Verdict> => {
  const isFirst = await untilWritten(message.deadline, () =>
    dependencies.writes.end({ message, ending: endingOf(verdict, message.id) }),
  );
  if (isFirst || verdict.status === 'failed' || (await isWritten(dependencies, message, verdict)))
    return verdict;
  if (verdict.status === 'sent') {
    const { tenant, id } = message;
    await resolve(dependencies, tenant, id, verdict.messageTs);
  }
  return { status: 'unknown' };
};

/**
 * Writes the outcome of a message and settles its credit.
 * @returns what the caller is to hear: a message that was sent but could not be written down is unknown to it, because
 * the sweep will end it so, and release its credit
 */
export const conclude = async (
  dependencies: Dependencies,
  message: PreparedMessage,
  verdict: Verdict,
): Promise<Verdict> => {
  try {
    return await concludeOnce(dependencies, message, verdict);
  } catch (err) {
    message.log.error({ err, message_id: message.id, outcome: verdict.status }, 'an outcome was not written');
    return verdict.status === 'failed' ? verdict : { status: 'unknown' };
  }
};
