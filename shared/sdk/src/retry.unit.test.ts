import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, errorCodes, errorTable } from '@stanza/contracts';
import { type Kind, pauseBefore, type Reaction, reactionTo } from './retry.ts';

const kinds: readonly Kind[] = ['read', 'keyed', 'change'];

const passes: Record<Kind, Reaction> = { read: 'again', keyed: 'again', change: 'stop' };
const waits: Record<Kind, Reaction> = { read: 'again', keyed: 'again', change: 'again' };
const once: Record<Kind, Reaction> = { read: 'again', keyed: 'again', change: 'stop' };
const never: Record<Kind, Reaction> = { read: 'stop', keyed: 'stop', change: 'stop' };

/** What docs/integrating.md says of each code that another attempt may not meet; every code of 429 and above is here. */
const table: Partial<Record<ErrorCode, Record<Kind, Reaction>>> = {
  idempotency_in_progress: passes,
  rate_limited: waits,
  too_many_streams: waits,
  tier_limit: waits,
  internal_error: once,
  credit_deduction_failed: once,
  chat_token_decrypt_failed: never,
  misconfigured: never,
  chat_api_error: never,
  chat_dm_failed: never,
  delivery_outcome_unknown: never,
  destination_failed: never,
  maintenance: waits,
  service_unavailable: passes,
  destination_test_host_not_enabled: never,
};

const failure = (code: string, status: number, replayed = false) => ({ code, status, replayed });

describe('the reaction to an error', () => {
  it('is decided for each code of the registry that may be transient', () => {
    const undecided = errorCodes.filter((code) => errorTable[code].status >= 429 && !table[code]);
    expect(undecided).toEqual([]);
  });

  it.each(errorCodes)('to %s is what the page for integrators says', (code) => {
    const reactions = kinds.map((kind) => [
      kind,
      reactionTo(failure(code, errorTable[code].status), kind, 1),
    ]);
    expect(Object.fromEntries(reactions)).toEqual(table[code] ?? never);
  });

  it('to an answer that was given before is to stop: it stays the same', () => {
    expect(reactionTo(failure('service_unavailable', 503, true), 'keyed', 1)).toBe('stop');
    expect(reactionTo(failure('internal_error', 500, true), 'keyed', 1)).toBe('stop');
  });

  it('to a request that did not get through in time is to make it again, whatever it is', () => {
    for (const kind of kinds) expect(reactionTo(failure('invalid_request', 408), kind, 1)).toBe('again');
  });

  it('the reaction to an internal error is one more attempt', () => {
    expect(reactionTo(failure('internal_error', 500), 'keyed', 2)).toBe('stop');
  });

  it.each([
    ['a code that is new, with a status to wait at', failure('too_eager', 429), 'again'],
    ['one that says the service is away', failure('gone_fishing', 503), 'again'],
    ['any other', failure('gone_wrong', 502), 'stop'],
    ['no answer', failure('no_answer', 0), 'again'],
  ])('is by the status for %s', (_, given, expected) => {
    expect(reactionTo(given, 'keyed', 1)).toBe(expected);
  });
});

describe('the pause before another attempt', () => {
  it('is never shorter than the answer asks for', () => {
    expect(pauseBefore(1, 7, 0)).toBe(7_000);
    expect(pauseBefore(1, 7, 0.5)).toBeGreaterThan(7_000);
    expect(pauseBefore(1, 0, 0)).toBe(0);
  });

  it('grows, has jitter, and is bounded', () => {
    expect([1, 2, 3].map((attempt) => pauseBefore(attempt, undefined, 0.5))).toEqual([250, 500, 1_000]);
    expect(pauseBefore(1, undefined, 0)).toBe(125);
    expect(pauseBefore(50, undefined, 0.999)).toBeLessThan(12_000);
  });
});
