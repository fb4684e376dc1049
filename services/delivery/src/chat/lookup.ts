import { setTimeout as pause } from 'node:timers/promises';
import type { Deadline } from '../deadline.ts';
import { isFinal } from './errors.ts';
import type { GuardedCall, GuardedChat } from './guarded.ts';
import type { Attempt, ChatOutcome } from './platform.ts';

/** Timeout of one try, milliseconds. */
const tryMs = 5_000;
/** Minimum time for a try, milliseconds. */
const minMs = 200;
const maxTries = 6;

/**
 * Calls a method that is idempotent or read-only: transient outcomes are retried with a growing backoff until the
 * deadline.
 * @param journal takes a line for each try
 * @returns the last outcome
 * @throws CodedError `service_unavailable` when the breaker is open
 */
export const lookUp = async (
  chat: GuardedChat,
  call: Omit<GuardedCall, 'timeoutMs'>,
  deadline: Deadline,
  journal: Attempt[],
): Promise<ChatOutcome> => {
  for (let tries = 1; ; tries++) {
    const { outcome, attempt } = await chat.call({
      ...call,
      timeoutMs: Math.min(tryMs, Math.max(minMs, deadline.remaining)),
    });
    journal.push(attempt);
    const delay =
      outcome.kind === 'rate_limited' ? outcome.retryAfter * 1_000 : backoffMs(tries, Math.random());
    if (isFinal(outcome) || tries >= maxTries || delay + minMs > deadline.remaining) return outcome;
    await pause(delay);
  }
};

/** First delay, milliseconds, doubled with each try. */
const firstMs = 200;
const longestMs = 2_000;
/** Share of a delay that varies, so that concurrent failures are not retried in step. */
const jitter = 0.4;

/**
 * Milliseconds until the next try.
 * @param tries number of tries so far, from 1
 * @param random a number from 0 to 1
 * @param longest the delay, milliseconds, up to which it grows
 */
export const backoffMs = (tries: number, random: number, longest = longestMs): number =>
  Math.round(Math.min(longest, firstMs * 2 ** (tries - 1)) * (1 - jitter / 2 + jitter * random));
