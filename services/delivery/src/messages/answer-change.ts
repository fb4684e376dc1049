import type { ReplyOf, updateMessage } from '@stanza/contracts';
import { outcomeUnknown } from '../chat/errors.ts';
import type { PreparedChange } from './message.ts';

import type { MessageRow } from './message-tables.ts';
import { failureOfRow, isOpen, stillRunning, type Verdict } from './verdict.ts';

type Reply = ReplyOf<typeof updateMessage>;

/**
 * Answers an update with its outcome.
 * @param remainingCredits the remaining credits if it is charged
 * @throws CodedError unless the channel shows the content
 */
export const answerChange = (change: PreparedChange, verdict: Verdict, remainingCredits: number): Reply => {
  if (verdict.status === 'failed') throw verdict.error;
  if (verdict.status === 'unknown') throw outcomeUnknown(change.revises.id);
  const { version_id, version_number, warnings, fields_truncated } = change.rendered;
  const { unchanged } = verdict;
  return {
    success: true,
    message_id: change.revises.id,
    channel: verdict.channel,
    message_ts: verdict.messageTs,
    version_id,
    version_number,
    warnings,
    chat_truncation: { fields_truncated },
    ...(unchanged === undefined && { credit_log_id: change.creditLogId }),
    remaining_credits: unchanged === undefined ? remainingCredits : remainingCredits + 1,
    revision: unchanged ?? change.revision,
    changed: unchanged === undefined,
  };
};

/** True for a change that was not made, since the channel showed the same content. */
export const isUnchanged = ({ status, posting_at }: MessageRow): boolean =>
  status === 'sent' && posting_at === null;

/**
 * Answers an update that runs again under its operation id from its row; nothing is changed again. One that was found in
 * the channel later, and therefore not charged, stays unknown here; its message has the details.
 * @throws CodedError unless the channel showed the content
 */
export const answerChangeAgain = (row: MessageRow): Reply => {
  const messageId = row.revises ?? row.id;
  if (isOpen(row)) throw stillRunning(messageId);
  if (row.status === 'failed') throw failureOfRow(row);
  const unchanged = isUnchanged(row);
  const { channel, message_ts } = row;
  if (row.status === 'unknown' || !(row.charged || unchanged) || channel === null || message_ts === null) {
    throw outcomeUnknown(messageId);
  }
  return {
    success: true,
    message_id: messageId,
    channel,
    message_ts,
    version_id: row.version_id,
    version_number: row.version_number,
    warnings: row.warnings,
    chat_truncation: { fields_truncated: row.fields_truncated },
    ...(!unchanged && { credit_log_id: row.credit_log_id }),
    remaining_credits: unchanged ? row.remaining_credits + 1 : row.remaining_credits,
    revision: row.revision,
    changed: !unchanged,
  };
};
