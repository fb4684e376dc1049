import { describe, expect, it } from '@jest/globals';
import { Uses } from './uses.ts';

const at = (second: number): Date => new Date(second * 1_000);

describe('uses', () => {
  it('keep the latest of each id, and are returned once', () => {
    const use = new Uses();
    use.note('a', at(2));
    use.note('a', at(1));
    use.note('b', at(3));
    expect([...use.take()]).toEqual([
      ['a', at(2)],
      ['b', at(3)],
    ]);
    expect(use.take().size).toBe(0);
  });

  it('are kept when they are put back, unless a later one came meanwhile', () => {
    const use = new Uses();
    use.note('a', at(1));
    use.note('b', at(1));
    const taken = use.take();
    use.note('a', at(5));
    use.giveBack(taken);
    expect(use.take()).toEqual(
      new Map([
        ['a', at(5)],
        ['b', at(1)],
      ]),
    );
  });
});
