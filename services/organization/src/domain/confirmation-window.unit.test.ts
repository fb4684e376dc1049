import { describe, expect, it } from '@jest/globals';
import { Patience } from './patience.ts';

const second = 1_000;

describe('reversal of unconfirmed charges', () => {
  it('waits for the first 20 seconds after the start', () => {
    const patience = new Patience(100 * second);
    expect(patience.isOver(120 * second - 1)).toBe(false);
    expect(patience.isOver(120 * second)).toBe(true);
    expect(patience.isOver(500 * second)).toBe(true);
  });

  it('waits again after the latest interruption', () => {
    const patience = new Patience(0);
    patience.interrupted(100 * second);
    patience.interrupted(50 * second);
    expect(patience.isOver(119 * second)).toBe(false);
    expect(patience.isOver(120 * second)).toBe(true);
  });
});
