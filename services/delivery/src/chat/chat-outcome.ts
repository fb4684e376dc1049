import type { messageAttempt } from '@stanza/contracts';
import type { z } from 'zod';

/** The outcome of a call to the chat platform. */
export type ChatOutcome =
  /** Succeeded; the platform's answer. */
  | { kind: 'ok'; data: Readonly<Record<string, unknown>> }
  /** Failed before a byte was written: nothing happened. */
  | { kind: 'not_sent'; reason: string }
  /** 429: nothing happened, and calls are refused for the given seconds. */
  | { kind: 'rate_limited'; retryAfter: number }
  /** Refused: the name of the platform's error, and its details, which never quote content. */
  | { kind: 'refused'; error: string; notes: readonly string[] }
  /** Failed after bytes were written: it may have been done. */
  | { kind: 'ambiguous'; reason: string };

/** The log entry of a call. */
export type Attempt = z.output<typeof messageAttempt>;

/** The outcome of a call, and its line in the message's log. */
export interface ChatReply {
  outcome: ChatOutcome;
  attempt: Attempt;
}

/** The outcome as a word: `ok`, the platform's error, or the kind of failure. */
export const outcomeName = (outcome: ChatOutcome): string => {
  if (outcome.kind === 'refused') return outcome.error;
  return outcome.kind === 'ok' || outcome.kind === 'rate_limited' ? outcome.kind : outcome.reason;
};
