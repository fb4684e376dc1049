import { describe, expect, it } from '@jest/globals';
import { Patience } from './patience.ts';

const at = (second: number): Date => new Date(second * 1_000);

describe('patience with charges', () => {
  it('reverses nothing in the first 20 seconds after the start', () => {
    const patience = new Patience(at(100));
    expect(patience.overdue(at(119.999))).toBeUndefined();
    expect(patience.overdue(at(120))).toEqual(at(100));
    expect(patience.overdue(at(500))).toEqual(at(480));
  });

  it('begins anew after an interruption, the latest of which counts', () => {
    const patience = new Patience(at(0));
    patience.interrupted(at(100));
    patience.interrupted(at(50));
    expect(patience.overdue(at(119))).toBeUndefined();
    expect(patience.overdue(at(120))).toEqual(at(100));
  });
});
