import type { CodedError, ErrorCode } from '@stanza/contracts';
import { backoffMs } from './chat/lookup.ts';

/** Longest backoff of failed work, milliseconds; the platform may ask for more. */
const longestDelayMs = 10_000;

/** A token that no key decrypts waits too: an operator has left out a key, and puts it back. */
const transient: readonly ErrorCode[] = ['service_unavailable', 'rate_limited', 'chat_token_decrypt_failed'];
const unexpected: readonly ErrorCode[] = ['internal_error', 'credit_deduction_failed'];

/**
 * Whether the same work may succeed later, for coded errors of deferred sends and actions of interactions. The runtime
 * gives outages of the database and of NATS the code `service_unavailable`; `callFailure` does so for the platform.
 */
export const isTransient = ({ code }: CodedError): boolean => transient.includes(code);

/** An error without a rule. It may be transient, so the work is retried a few times. */
export const isUnexpected = ({ code }: Pick<CodedError, 'code'>): boolean => unexpected.includes(code);

/** Whether a request for the same message may succeed later, where certainly nothing was posted. */
export const isRetryable = (error: CodedError): boolean =>
  isTransient(error) || isUnexpected(error) || error.facts.nothing_done === true;

/**
 * Milliseconds until the next try: the backoff, or as long as the error asks for.
 * @param tries number of tries so far, from 1
 */
export const retryAfterMs = ({ facts }: CodedError, tries: number): number =>
  Math.max((facts.retry_after ?? 0) * 1_000, backoffMs(tries, Math.random(), longestDelayMs));
