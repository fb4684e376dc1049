import { describe, expect, it } from '@jest/globals';
import type { Clock } from '@stanza/runtime';
import { backoffMs } from './chat/lookup.ts';
import { Deadline } from './deadline.ts';

/** A clock whose two times differ, and that stands still until it is moved. */
const standing = () => {
  const state = { passed: 0 };
  const clock: Clock = {
    now: () => new Date(Date.parse('2026-11-21T08:00:00.000Z') + state.passed),
    monotonic: () => 5_000 + state.passed,
  };
  return { clock, state };
};

describe('a deadline', () => {
  it('leaves the caller half a second for the answer', () => {
    const { clock, state } = standing();
    const deadline = Deadline.forCaller(clock, 20_000);
    expect(deadline.remaining).toBe(14_500);
    state.passed = 14_000;
    expect(deadline.remaining).toBe(500);
    state.passed = 60_000;
    expect(deadline.remaining).toBe(0);
  });

  it('may be brought forward', () => {
    const { clock, state } = standing();
    const deadline = Deadline.in(clock, 10_000);
    state.passed = 3_000;
    expect(deadline.before(2_000).remaining).toBe(5_000);
  });
});

describe('the delay before another try', () => {
  it('doubles up to two seconds', () => {
    expect([1, 2, 3, 4, 5, 20].map((tries) => backoffMs(tries, 0.5))).toEqual([
      200, 400, 800, 1_600, 2_000, 2_000,
    ]);
  });

  it('varies by a fifth to either side', () => {
    expect([backoffMs(1, 0), backoffMs(1, 1)]).toEqual([160, 240]);
  });
});
