import { beforeEach, describe, expect, it } from '@jest/globals';
import { createMetrics } from '../observability/metrics.ts';
import { Turns, type TurnsOptions } from './turns.ts';

describe('turns', () => {
  const begun: string[] = [];
  let ends: (() => void)[];
  beforeEach(() => {
    begun.splice(0);
    ends = [];
  });

  const turnsOf = (options: Partial<TurnsOptions> = {}) =>
    new Turns({
      kind: 'reports',
      places: 2,
      waiting: 10,
      waitMs: 60_000,
      metrics: createMetrics({ service: 'template', processMetrics: false }),
      subject: 'Too many things',
      ...options,
    });

  /** Work that lasts until its end is called. */
  const work = (turns: Turns, holder: string, name: string): Promise<string> =>
    turns.run(holder, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      return name;
    });

  const endOne = async () => {
    ends.shift()?.();
    await new Promise(setImmediate);
  };

  it('go round among those who wait, however much work of one waits', async () => {
    const turns = turnsOf();
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => work(turns, 'a', name));
    all.push(...['b1', 'b2'].map((name) => work(turns, 'b', name)), work(turns, 'c', 'c1'));
    await new Promise(setImmediate);
    while (ends.length > 0) await endOne();
    expect(await Promise.all(all)).toHaveLength(7);
    // One place is for others: that of b is not waited for.
    expect(begun.slice(0, 2)).toEqual(['a1', 'b1']);
    expect(begun.indexOf('c1')).toBeLessThan(begun.indexOf('a3'));
    expect(begun.indexOf('b2')).toBeLessThan(begun.indexOf('a4'));
  });

  it('leave as many places to others as a holder has, where that is asked for', async () => {
    const turns = turnsOf({ places: 8, leaves: 'as_many' });
    const all = ['a', 'b', 'c'].flatMap((holder) =>
      [1, 2, 3, 4, 5, 6].map((n) => work(turns, holder, `${holder}${n}`)),
    );
    await new Promise(setImmediate);
    expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']);
    while (ends.length > 0) await endOne();
    expect(await Promise.all(all)).toHaveLength(18);
  });

  it('are refused to one of whom too much waits, and not to others', async () => {
    const turns = turnsOf({ waiting: 1 });
    const [first, second] = [work(turns, 'a', 'a1'), work(turns, 'a', 'a2')];
    await expect(work(turns, 'a', 'a3')).rejects.toMatchObject({
      code: 'service_unavailable',
      facts: { nothing_done: true, retry_after: 1 },
    });
    const other = work(turns, 'b', 'b1');
    await new Promise(setImmediate);
    while (ends.length > 0) await endOne();
    expect(await Promise.all([first, second, other])).toEqual(['a1', 'a2', 'b1']);
  });

  it('that do not come in time are given up, and the place goes to the next', async () => {
    const turns = turnsOf({ places: 1, waitMs: 1 });
    const first = work(turns, 'a', 'a1');
    await expect(work(turns, 'b', 'b1')).rejects.toMatchObject({ code: 'service_unavailable' });
    await endOne();
    await first;
    const next = work(turns, 'c', 'c1');
    await new Promise(setImmediate);
    await endOne();
    expect(await next).toBe('c1');
    expect(begun).toEqual(['a1', 'c1']);
  });
});
