import type { ReplyOf, sendBulk } from '@stanza/contracts';
import type { MessageRow } from '../store/rows.ts';
import type { PreparedMessage } from './message.ts';
import { namedDestinationOf } from './recipient.ts';
import type { MessagesOf } from './store/messages.ts';
import { isOpen, stillRunning, type Verdict } from './verdict.ts';

type Reply = ReplyOf<typeof sendBulk>;
type Result = Reply['results'][number];

/** One message of a bulk send with what became of it. */
export interface Concluded {
  message: PreparedMessage;
  verdict: Verdict;
}

const resultOf = ({ message, verdict }: Concluded): Result => {
  const destination = message.recipient;
  if (verdict.status === 'failed') return { destination, success: false, error: verdict.error.code };
  if (verdict.status === 'unknown') return { destination, success: false, error: 'delivery_outcome_unknown' };
  return {
    destination,
    channel: verdict.channel,
    success: true,
    message_ts: verdict.messageTs,
    credit_log_id: message.creditLogId,
  };
};

/** What was found in the channel too late to be charged stays unknown here, and its row tells the rest. */
const resultOfRow = (row: MessageRow): Result => {
  const destination = namedDestinationOf(row);
  if (row.status === 'failed') return { destination, success: false, error: row.error ?? 'internal_error' };
  if (row.status !== 'sent' || !row.charged || row.channel === null || row.message_ts === null) {
    return { destination, success: false, error: 'delivery_outcome_unknown' };
  }
  const { channel, message_ts, credit_log_id } = row;
  return { destination, channel, success: true, message_ts, credit_log_id };
};

/** What all messages of a bulk send have in common: the version, and the credits that would be left if all were charged. */
type Shared = Pick<
  MessageRow,
  'version_id' | 'version_number' | 'warnings' | 'fields_truncated' | 'remaining_credits'
>;

const replyOf = (results: Result[], shared: Shared): Reply => {
  const failed = results.filter((result) => !result.success).length;
  return {
    success: failed === 0,
    results,
    total_sent: results.length - failed,
    total_failed: failed,
    remaining_credits: shared.remaining_credits + failed,
    warnings: shared.warnings,
    chat_truncation: { fields_truncated: shared.fields_truncated },
    version_id: shared.version_id,
    version_number: shared.version_number,
  };
};

/**
 * Answers a bulk send with what became of its messages.
 * @param remainingCredits what would be left if all of them were charged
 */
export const answerBulk = (
  concluded: readonly Concluded[],
  rendered: PreparedMessage['rendered'],
  remainingCredits: number,
): Reply => replyOf(concluded.map(resultOf), { ...rendered, remaining_credits: remainingCredits });

/**
 * Answers a bulk send that has been asked for before, from the rows that it left; nothing is posted again.
 * @throws CodedError `service_unavailable` while one of them is on its way
 */
export const answerBulkAgain = (rows: MessagesOf): Reply => {
  const open = rows.find(isOpen);
  if (open) throw stillRunning(open.id);
  return replyOf(rows.map(resultOfRow), rows[0]);
};
