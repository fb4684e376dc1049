import type { messageAttempt } from '@stanza/contracts';
import type { z } from 'zod';

/** What became of one call to the chat platform. */
export type ChatOutcome =
  /** Done; the platform's answer. */
  | { kind: 'ok'; data: Readonly<Record<string, unknown>> }
  /** It broke before a byte was written, so nothing can have happened. */
  | { kind: 'not_sent'; reason: string }
  /** 429: nothing happened, and for so many seconds nothing will. */
  | { kind: 'rate_limited'; retryAfter: number }
  /** The platform said no: the name of its error, and what it adds for people, which never quotes content. */
  | { kind: 'refused'; error: string; notes: readonly string[] }
  /** It broke after bytes were written, so it may have been done. */
  | { kind: 'ambiguous'; reason: string };

/** One call, as it is logged. */
export type Attempt = z.output<typeof messageAttempt>;

/** The outcome of one call, and its line in the message's log. */
export interface ChatReply {
  outcome: ChatOutcome;
  attempt: Attempt;
}

/** Names an outcome in a word: `ok`, the platform's error, or how the call broke. */
export const outcomeName = (outcome: ChatOutcome): string => {
  if (outcome.kind === 'refused') return outcome.error;
  return outcome.kind === 'ok' || outcome.kind === 'rate_limited' ? outcome.kind : outcome.reason;
};
