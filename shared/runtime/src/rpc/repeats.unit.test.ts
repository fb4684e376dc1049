import { describe, expect, it } from '@jest/globals';
import { Repeats } from './repeats.ts';

/** How many repeats are allowed one after the other at a moment. */
const allowed = (repeats: Repeats, at: number, helps: boolean): number => {
  let count = 0;
  while (count < 1_000 && repeats.take(at)) {
    if (helps) repeats.helped();
    count += 1;
  }
  return count;
};

describe('repeats of calls', () => {
  it('go on while they help', () => {
    expect(allowed(new Repeats(), 0, true)).toBe(1_000);
  });

  it('end soon where none helps, and come back slowly', () => {
    const repeats = new Repeats();
    expect(allowed(repeats, 0, false)).toBe(32);
    expect(allowed(repeats, 1_000, false)).toBe(2);
    expect(allowed(repeats, 3_600_000, false)).toBe(32);
  });
});
