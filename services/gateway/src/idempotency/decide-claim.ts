import { CodedError } from '@stanza/contracts';
import type { RememberedAnswer } from '../store/idempotency-answers.ts';
import type { IdempotencyRow } from '../store/tables.ts';

const hourMs = 60 * 60_000;
/** Milliseconds for which an answer below 500 is replayed. */
const replayMs = 24 * hourMs;

/** Milliseconds after which the key of an answer is free again. */
export const keptMsOf = (status: number, failureDays: number): number =>
  status < 500 ? replayMs : failureDays * 24 * hourMs;

/** True when a refusal changed nothing, so that the key is freed as if the request had never been made. */
export const didNothing = (error: CodedError): boolean =>
  error.status === 429 || error.facts.nothing_done === true;

/**
 * The answer to a request whose key is taken.
 * @throws CodedError `idempotency_in_progress` while there is no answer, `idempotency_conflict` for another request
 */
export const answerOfTaken = (record: IdempotencyRow, fingerprint: Buffer): RememberedAnswer => {
  const { status, content_type: contentType, body } = record;
  if (record.completed_at === null && record.released_at === null) {
    throw new CodedError('idempotency_in_progress');
  }
  if (!record.fingerprint.equals(fingerprint)) throw new CodedError('idempotency_conflict');
  if (status === null || contentType === null || body === null) {
    throw new CodedError('idempotency_in_progress');
  }
  return { status, contentType, body };
};

/** Milliseconds beyond an operation's timeout after which its request cannot be running any longer. */
const graceMs = 5_000;

/**
 * True while the process that claimed a key may still be running the request; the age of the claim comes from the
 * database.
 */
export const mayBeRunning = (
  record: Pick<IdempotencyRow, 'released_at'> & { claimed_ms_ago: number },
  deadlineMs: number,
): boolean => record.released_at === null && record.claimed_ms_ago < deadlineMs + graceMs;
