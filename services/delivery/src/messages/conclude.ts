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

/** Milliseconds between tries to write while the database is unavailable, half as many more or less. */
const retryMs = 250;

/** Writes the outcome of a message, with retries until the deadline while the database is unavailable. */
export const untilWritten = async <T>(deadline: Deadline, write: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await write();
    } catch (err) {
      // Many requests meet an outage at once; they do not come back in step.
      const delay = retryMs * (0.5 + Math.random());
      if (!isUnavailable(err) || deadline.remaining < delay) throw err;
      await pause(delay);
    }
  }
};

/** Milliseconds until a message with an unknown outcome is looked up, by whichever replica comes first. */
const firstLookupMs = 10_000;

const endingOf = (verdict: Verdict, messageId: string): Ending => {
  if (verdict.status === 'sent') return verdict;
  if (verdict.status === 'failed') return { status: 'failed', error: verdict.error.toBody() };
  return { status: 'unknown', error: outcomeUnknown(messageId).toBody(), lookUpAfterMs: firstLookupMs };
};

/** True when the row matches the verdict: an earlier try was committed though its answer was lost. */
const isWritten = async (
  { database }: Dependencies,
  { tenant, context, item }: PreparedMessage,
  verdict: Verdict,
): Promise<boolean> => {
  const row = await findMessageOf(tenant, database, context.operationId, item);
  return row?.status === verdict.status && (verdict.status !== 'sent' || row.charged === true);
};

/** The verdict in force after the write: when the sweep came first, the message is unknown and not charged. */
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
 * @returns the outcome for the caller: a message that was sent but could not be recorded is unknown, because the sweep
 * ends it so and releases its credit
 */
export const conclude = async (
  dependencies: Dependencies,
  message: PreparedMessage,
  verdict: Verdict,
): Promise<Verdict> => {
  try {
    return await concludeOnce(dependencies, message, verdict);
  } catch (err) {
    message.log.error(
      { err, message_id: message.id, outcome: verdict.status },
      'an outcome could not be written',
    );
    return verdict.status === 'failed' ? verdict : { status: 'unknown' };
  }
};
