import { setTimeout as pause } from 'node:timers/promises';
import { CodedError } from '@stanza/contracts';
import { outcomeUnknown } from '../chat/errors.ts';
import type { Parts } from '../dependencies.ts';
import type { PreparedMessage } from './prepare.ts';
import { resolve } from './resolve.ts';
import { findMessageOf } from './store/messages.ts';
import type { Ending } from './store/postings.ts';
import type { Verdict } from './verdict.ts';

/** Milliseconds until a message whose outcome is unknown is looked up once more, by whichever replica comes first. */
const firstLookupMs = 10_000;
/** Milliseconds between tries to write an outcome while the database is away. */
const retryMs = 250;

const endingOf = (verdict: Verdict, messageId: string): Ending => {
  if (verdict.status === 'sent') return verdict;
  if (verdict.status === 'failed') return { status: 'failed', error: verdict.error.toBody() };
  return { status: 'unknown', error: outcomeUnknown(messageId).toBody(), lookUpAfterMs: firstLookupMs };
};

const isDatabaseAway = (error: unknown): boolean =>
  error instanceof CodedError && error.code === 'service_unavailable';

/** Writes the outcome, as often as the deadline allows while the database is away. */
const write = async (parts: Parts, message: PreparedMessage, verdict: Verdict): Promise<boolean> => {
  for (;;) {
    try {
      return await parts.writes.end({ message, ending: endingOf(verdict, message.id) });
    } catch (err) {
      if (!isDatabaseAway(err) || message.deadline.remaining < retryMs) throw err;
      await pause(retryMs);
    }
  }
};

/** True when the row says what the verdict says: an earlier try was committed though its answer was lost. */
const isWritten = async (
  { database }: Parts,
  { tenant, context, item }: PreparedMessage,
  verdict: Verdict,
): Promise<boolean> => {
  const row = await findMessageOf(tenant, database, context.operationId, item);
  return row?.status === verdict.status && (verdict.status !== 'sent' || row.charged === true);
};

/** The verdict that stands after it was written: when the sweep came first, the message is unknown and not charged. */
const concludeOnce = async (parts: Parts, message: PreparedMessage, verdict: Verdict): Promise<Verdict> => {
  const isFirst = await write(parts, message, verdict);
  if (isFirst || verdict.status === 'failed' || (await isWritten(parts, message, verdict))) return verdict;
  if (verdict.status === 'sent') {
    const { tenant, id } = message;
    await resolve(parts, tenant, id, verdict.messageTs);
  }
  return { status: 'unknown' };
};

/**
 * Writes the outcome of a message and settles its credit.
 * @returns what the caller is to hear: a message that was sent but could not be written down is unknown to it, because
 * the sweep will end it so, and release its credit
 */
export const conclude = async (
  parts: Parts,
  message: PreparedMessage,
  verdict: Verdict,
): Promise<Verdict> => {
  try {
    return await concludeOnce(parts, message, verdict);
  } catch (err) {
    message.log.error({ err, message_id: message.id, outcome: verdict.status }, 'an outcome was not written');
    return verdict.status === 'failed' ? verdict : { status: 'unknown' };
  }
};
