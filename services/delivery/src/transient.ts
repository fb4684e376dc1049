import type { CodedError, ErrorCode } from '@stanza/contracts';
import { backoffMs } from './chat/backoff.ts';

/** Milliseconds until work that met an error is tried again, at most; the platform may ask for more. */
const longestDelayMs = 10_000;

const transient: readonly ErrorCode[] = ['service_unavailable', 'rate_limited'];
const unexpected: readonly ErrorCode[] = ['internal_error', 'credit_deduction_failed'];

/**
 * Whether the same work may succeed later, of the coded errors that deferred sends and actions of interactions meet. The
 * runtime gives outages of the database and of NATS the code `service_unavailable`; `callFailure` does so for the platform.
 */
export const isTransient = ({ code }: CodedError): boolean => transient.includes(code);

/** An error that no rule foresees. It may be transient, so that work is retried after it a few times. */
export const isUnexpected = ({ code }: CodedError): boolean => unexpected.includes(code);

/**
 * Milliseconds until work is tried again: the backoff, or as long as the error asks for.
 * @param tries how often it was tried, from 1
 */
export const retryAfterMs = ({ facts }: CodedError, tries: number): number =>
  Math.max((facts.retry_after ?? 0) * 1_000, Math.min(longestDelayMs, backoffMs(tries, Math.random())));
