import { setTimeout as pause } from 'node:timers/promises';
import {
  CodedError,
  errorTable,
  metricCatalogue,
  type ReplyOf,
  type testSendVersion,
} from '@stanza/contracts';
import {
  type CallContext,
  isUnavailable,
  type Metrics,
  type Queryable,
  type ServiceContext,
  type Tenant,
  toCodedError,
} from '@stanza/runtime';
import { outcomeUnknown } from '../chat/errors.ts';
import type { Deadline } from '../deadline.ts';
import type { CountEvents } from '../events/store/recording.ts';
import { isTransient } from '../transient.ts';
import type { PreparedMessage } from './message.ts';
import type { MessageChange, MessageRow } from './message-tables.ts';
import { resolve } from './settle.ts';
import type { SharedWrites } from './shared-writes.ts';
import { findMessageOf, findMessagesOf } from './store/messages.ts';
import type { Ending, SentEnding } from './store/postings.ts';

/** The outcome of a message. */
export type Verdict =
  | SentEnding
  /** Certainly nothing was posted. */
  | { status: 'failed'; error: CodedError }
  /** The post may have been done: the outcome is unknown. */
  | { status: 'unknown' };

/** Whether the caller caused the outcome, or this service or the platform. */
const causeOf = (verdict: Verdict): 'none' | 'caller' | 'service' => {
  if (verdict.status === 'sent') return 'none';
  return verdict.status === 'failed' && errorTable[verdict.error.code].status < 500 ? 'caller' : 'service';
};

/** Makes the function that counts an ended message. */
export const countVerdicts = (metrics: Metrics): ((verdict: Verdict) => void) => {
  const ended = metrics.counter(metricCatalogue.delivery.messages);
  return (verdict) => ended.inc({ status: verdict.status, cause: causeOf(verdict) });
};

/** Makes the function that counts an ended change of a message. */
export const countChanges = (metrics: Metrics): ((kind: MessageChange, verdict: Verdict) => void) => {
  const ended = metrics.counter(metricCatalogue.delivery.revisions);
  return (kind, verdict) => {
    const isUnchanged = verdict.status === 'sent' && verdict.unchanged !== undefined;
    ended.inc({ kind, status: isUnchanged ? 'unchanged' : verdict.status });
  };
};

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
  if (!isTransient(error)) return error;
  return new CodedError(error.code, { ...error.facts, nothing_done: true }, { cause });
};

type Reply = ReplyOf<typeof testSendVersion>;

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
 * Answers a send that runs again under its operation id from its row; nothing is posted again. A message found in the
 * channel later, and therefore not charged, stays unknown here; its row has the details.
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

/** Milliseconds between tries to write while the database is unavailable, half as many more or less. */
const retryMs = 250;

/** The dependencies of {@link conclude}. */
export interface ConcludeDependencies extends Pick<ServiceContext<unknown>, 'database' | 'outbox' | 'clock'> {
  writes: Pick<SharedWrites, 'end'>;
  countEvents: CountEvents;
}

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

const endingOf = (verdict: Verdict, { id, revises, visibleTo }: PreparedMessage): Ending => {
  const messageId = revises?.id ?? id;
  if (verdict.status === 'sent') return verdict;
  if (verdict.status === 'failed') return { status: 'failed', error: verdict.error.toBody() };
  return {
    status: 'unknown',
    error: outcomeUnknown(messageId).toBody(),
    ...(visibleTo === undefined && { lookUpAfterMs: firstLookupMs }),
  };
};

/** True when the row matches the verdict: an earlier try was committed though its answer was lost. */
const isWritten = async (
  { database }: ConcludeDependencies,
  { tenant, context, item }: PreparedMessage,
  verdict: Verdict,
): Promise<boolean> => {
  const row = await findMessageOf(tenant, database, context.operationId, item);
  const isSettled = verdict.status !== 'sent' || row?.charged === true || row?.revises !== null;
  return row?.status === verdict.status && isSettled;
};

/**
 * The verdict in force after the write: when `end-abandoned-messages` came first, the message is unknown and not charged.
 */
const concludeOnce = async (
  dependencies: ConcludeDependencies,
  message: PreparedMessage,
  verdict: Verdict,
): Promise<Verdict> => {
  const isFirst = await untilWritten(message.deadline, () =>
    dependencies.writes.end({ message, ending: endingOf(verdict, message) }),
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
 * @returns the outcome for the caller: a message that was sent but could not be recorded is unknown, because
 * `end-abandoned-messages` ends it so and releases its credit
 */
export const conclude = async (
  dependencies: ConcludeDependencies,
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

/**
 * Reads the messages of an earlier request that ran the same operation. A request without a key, and the first with its
 * key, have operation ids of their own, for which nothing is read.
 */
export const findEarlier = async (
  tenant: Tenant,
  db: Queryable,
  { operationId, keyDigest, isFirst }: CallContext,
): Promise<MessageRow[]> =>
  keyDigest === undefined || isFirst ? [] : findMessagesOf(tenant, db, operationId);
