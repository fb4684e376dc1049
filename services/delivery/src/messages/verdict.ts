import { CodedError, type ReplyOf, type sendTemplate } from '@stanza/contracts';
import { toCodedError } from '@stanza/runtime';
import { outcomeUnknown } from '../chat/errors.ts';
import type { PreparedMessage } from './message.ts';
import type { MessageRow } from './message-tables.ts';

/** The outcome of a message. */
export type Verdict =
  | { status: 'sent'; channel: string; messageTs: string }
  /** Certainly nothing was posted. */
  | { status: 'failed'; error: CodedError }
  /** The post may have been done: the outcome is unknown. */
  | { status: 'unknown' };

/** What became of an operation that was begun before cannot be read: it may have posted. */
export class UnreadRepeat extends CodedError {
  constructor(cause: unknown) {
    const message = 'The outcome of the request could not be read. Repeat it with the same idempotency key.';
    super('service_unavailable', { message, retry_after: 1 }, { cause });
  }
}

/**
 * The reason why a message was not posted, for its caller. For a transient one, the request may be repeated as if it
 * had never been made: its rows end without a post and without a charge.
 */
export const unposted = (cause: unknown): CodedError => {
  const error = toCodedError(cause);
  if (error instanceof UnreadRepeat) return error;
  if (error.code !== 'service_unavailable') return error;
  return new CodedError(error.code, { ...error.facts, nothing_done: true }, { cause });
};

type Reply = ReplyOf<typeof sendTemplate>;

/** Seconds after which a running operation may be queried again. */
const runningRetryAfter = 5;

/** True while its first request is running. */
export const isOpen = (row: MessageRow): boolean => row.status === 'accepted' || row.status === 'posting';

/** The error for a repeat of a running operation. */
export const stillRunning = (messageId: string): CodedError =>
  new CodedError('service_unavailable', {
    message: 'The first request of this operation is still running. Nothing was posted a second time.',
    details: messageId,
    retry_after: runningRetryAfter,
  });

/**
 * Answers a send with the outcome of its message.
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

/** The answer of a test of blocks, which are of no version. */
export const withoutVersion = ({
  version_id: _id,
  version_number: _number,
  ...reply
}: Reply): Omit<Reply, 'version_id' | 'version_number'> => reply;

/** The error of a failed message, as its first caller got it. */
export const failureOfRow = ({ error, error_facts }: MessageRow): CodedError =>
  new CodedError(error ?? 'internal_error', error_facts ?? {});

/**
 * Answers a repeated send from its row; nothing is posted again. A message found in the channel later, and therefore
 * not charged, stays unknown here; its row has the details.
 * @throws CodedError unless it was sent
 */
export const answerAgain = (row: MessageRow): Reply => {
  if (isOpen(row)) throw stillRunning(row.id);
  if (row.status === 'failed') throw failureOfRow(row);
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
