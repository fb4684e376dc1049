import type { CodedError, ReplyOf, sendBulk } from '@stanza/contracts';
import { outcomeUnknown } from '../chat/errors.ts';
import { namedDestinationOf } from '../chat/recipients.ts';
import { isRetryable } from '../transient.ts';
import { isUnchanged } from './answer-change.ts';
import type { PreparedMessage } from './message.ts';
import type { MessageRow } from './message-tables.ts';
import type { MessagesOf } from './store/messages.ts';
import { failureOfRow, isOpen, stillRunning, type Verdict } from './verdict.ts';

type Reply = ReplyOf<typeof sendBulk>;
type Result = Reply['results'][number];

/** A message of a bulk send and its outcome. */
export interface Concluded {
  message: PreparedMessage;
  verdict: Verdict;
}

/** A destination that was not reached, and whether it may be tried again as it is. */
const failureOf = (
  { destination, message_id }: Pick<Result, 'destination' | 'message_id'>,
  error: CodedError,
): Result => ({
  destination,
  message_id,
  success: false,
  error: error.code,
  error_message: error.message,
  retryable: isRetryable(error),
});

const resultOf = ({ message, verdict }: Concluded): Result => {
  const messageId = message.revises?.id ?? message.id;
  const about = { destination: message.recipient, message_id: messageId };
  if (verdict.status === 'failed') return failureOf(about, verdict.error);
  if (verdict.status === 'unknown') return failureOf(about, outcomeUnknown(messageId));
  const { channel, messageTs, unchanged } = verdict;
  return {
    ...about,
    channel,
    success: true,
    message_ts: messageTs,
    ...(unchanged === undefined && { credit_log_id: message.creditLogId }),
    ...(message.keyed && { revision: unchanged ?? message.revision, changed: unchanged === undefined }),
  };
};

/** A message found in the channel later, and therefore not charged, stays unknown here; its row has the details. */
const resultOfRow = (row: MessageRow): Result => {
  const messageId = row.revises ?? row.id;
  const about = { destination: namedDestinationOf(row), message_id: messageId };
  if (row.status === 'failed') return failureOf(about, failureOfRow(row));
  const unchanged = row.revises !== null && isUnchanged(row);
  const isSent = row.status !== 'unknown' && (row.charged || unchanged);
  const { channel, message_ts, credit_log_id, revises, message_key, revision } = row;
  if (!isSent || channel === null || message_ts === null) return failureOf(about, outcomeUnknown(messageId));
  return {
    ...about,
    channel,
    success: true,
    message_ts,
    ...(!unchanged && { credit_log_id }),
    ...(message_key !== null && { revision: revises === null ? 1 : revision, changed: !unchanged }),
  };
};

/** The common fields of a bulk send's answer: the version, and the remaining credits if all messages are charged. */
type Shared = Pick<
  MessageRow,
  'version_id' | 'version_number' | 'warnings' | 'fields_truncated' | 'remaining_credits'
>;

const replyOf = (results: Result[], shared: Shared): Reply => {
  const failed = results.filter((result) => !result.success).length;
  const uncharged = results.filter((result) => result.credit_log_id === undefined).length;
  return {
    success: failed === 0,
    results,
    total_sent: results.length - failed,
    total_failed: failed,
    remaining_credits: shared.remaining_credits + uncharged,
    warnings: shared.warnings,
    chat_truncation: { fields_truncated: shared.fields_truncated },
    version_id: shared.version_id,
    version_number: shared.version_number,
  };
};

/**
 * Answers a bulk send with the outcomes of its messages.
 * @param remainingCredits the remaining credits if all of them are charged
 */
export const answerBulk = (
  concluded: readonly Concluded[],
  rendered: PreparedMessage['rendered'],
  remainingCredits: number,
): Reply => replyOf(concluded.map(resultOf), { ...rendered, remaining_credits: remainingCredits });

/**
 * Answers a repeated bulk send from its rows; nothing is posted again.
 * @throws CodedError `service_unavailable` while one of them is in flight
 */
export const answerBulkAgain = (rows: MessagesOf): Reply => {
  const open = rows.find(isOpen);
  if (open) throw stillRunning(open.id);
  return replyOf(rows.map(resultOfRow), rows[0]);
};
