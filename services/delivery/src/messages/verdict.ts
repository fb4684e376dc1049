import { CodedError, type ReplyOf, type sendTemplate } from '@stanza/contracts';
import { toCodedError } from '@stanza/runtime';
import { outcomeUnknown } from '../chat/errors.ts';
import type { MessageRow } from '../store/rows.ts';
import type { PreparedMessage } from './message.ts';

/** What became of a message. */
export type Verdict =
  | { status: 'sent'; channel: string; messageTs: string }
  /** It is certain that nothing was posted. */
  | { status: 'failed'; error: CodedError }
  /** The post may have been done; nobody knows. */
  | { status: 'unknown' };

/**
 * What kept a message from being posted, for its caller. Where only the moment was wrong, the request may be made again
 * as if it had never been: whatever it has left behind ends without a post and without a charge.
 */
export const unposted = (cause: unknown): CodedError => {
  const error = toCodedError(cause);
  if (error.code !== 'service_unavailable') return error;
  return new CodedError(error.code, { ...error.facts, nothing_done: true }, { cause });
};

type Reply = ReplyOf<typeof sendTemplate>;

/** Seconds after which an operation that is still running may be asked for again. */
const runningRetryAfter = 5;

/** True while its first request is still at it. */
export const isOpen = (row: MessageRow): boolean => row.status === 'accepted' || row.status === 'posting';

/** What a caller is told who asks for an operation a second time while it runs. */
export const stillRunning = (messageId: string): CodedError =>
  new CodedError('service_unavailable', {
    message: 'The first request of this operation is still running. Nothing was posted a second time.',
    details: messageId,
    retry_after: runningRetryAfter,
  });

/**
 * Answers a send with what became of its message.
 * @throws CodedError unless it was sent
 */
export const answer = (message: PreparedMessage, verdict: Verdict, remainingCredits: number): Reply => {
  if (verdict.status === 'failed') throw verdict.error;
  if (verdict.status === 'unknown') throw outcomeUnknown(message.id);
  const { version_id, version_number, warnings, fields_truncated } = message.rendered;
  return {
    success: true,
    message_id: message.id,
    channel: verdict.channel,
    message_ts: verdict.messageTs,
    version_id,
    version_number,
    warnings,
    chat_truncation: { fields_truncated },
    credit_log_id: message.creditLogId,
    remaining_credits: remainingCredits,
  };
};

/**
 * Answers a send that has been asked for before, from the row that it left; nothing is posted again. A message that was
 * found in the channel too late to be charged stays unknown here, and its row tells the rest.
 * @throws CodedError unless it was sent
 */
export const answerAgain = (row: MessageRow): Reply => {
  if (isOpen(row)) throw stillRunning(row.id);
  if (row.status === 'failed') throw new CodedError(row.error ?? 'internal_error', row.error_facts ?? {});
  if (row.status === 'unknown' || !row.charged || row.channel === null || row.message_ts === null) {
    throw outcomeUnknown(row.id);
  }
  return {
    success: true,
    message_id: row.id,
    channel: row.channel,
    message_ts: row.message_ts,
    version_id: row.version_id,
    version_number: row.version_number,
    warnings: row.warnings,
    chat_truncation: { fields_truncated: row.fields_truncated },
    credit_log_id: row.credit_log_id,
    remaining_credits: row.remaining_credits,
  };
};
