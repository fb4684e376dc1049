import { describe, expect, it } from '@jest/globals';
import { kindOf, serviceOf } from './fault.ts';
import { makePlantedSchedule, makeSchedule, makeShortSchedule } from './schedule.ts';

const fiveMinutes = { durationMs: 300_000, everyMs: 4_000 };

describe('a schedule of faults', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(makeSchedule({ seed: 7, ...fiveMinutes })).toEqual(makeSchedule({ seed: 7, ...fiveMinutes }));
    expect(makeSchedule({ seed: 7, ...fiveMinutes })).not.toEqual(makeSchedule({ seed: 8, ...fiveMinutes }));
  });

  it.each([1, 2, 3, 4, 5])(
    'has at least sixty faults in five minutes, in order, of every kind (seed %i)',
    (seed) => {
      const faults = makeSchedule({ seed, ...fiveMinutes });
      expect(faults.length).toBeGreaterThanOrEqual(60);
      expect(faults.every(({ at }, index) => at >= (faults[index - 1]?.at ?? 0) && at <= 300_000)).toBe(true);
      const kinds = new Set(faults.map(({ harm }) => harm.kind));
      for (const kind of ['kill', 'terminate', 'freeze', 'long freeze', 'clock', 'silence', 'long reader']) {
        expect(kinds).toContain(kind);
      }
      expect(faults.map(({ id }) => id)).toEqual(faults.map((_, at) => at + 1));
    },
  );

  it('is short on demand, and leaves no kind out', () => {
    const faults = makeShortSchedule({ seed: 1, everyMs: 1_200 });
    const kinds = new Set(faults.map(({ harm }) => kindOf(harm)));
    expect([...kinds].filter((it) => it.startsWith('platform')).length).toBe(7);
    expect([...kinds].filter((it) => it.startsWith('kill')).length).toBe(7);
    expect([...kinds].filter((it) => it.startsWith('clock')).length).toBe(5);
    expect([...kinds].filter((it) => it.startsWith('network: silence')).length).toBe(2);
    expect([...kinds].filter((it) => it.startsWith('long')).length).toBe(2);
    expect(Math.max(...faults.map(({ at, lastsMs }) => at + lastsMs))).toBeLessThan(60_000);
  });

  const fifty = [...Array(50).keys()].flatMap((seed) => makeSchedule({ seed, ...fiveMinutes }));

  it('puts clocks off to both sides, and lets them step back', () => {
    const clocks = fifty.flatMap(({ harm }) => (harm.kind === 'clock' ? [harm] : []));
    const offsets = new Set(clocks.filter(({ thenMs }) => thenMs === undefined).map((it) => it.offsetMs));
    expect(offsets).toEqual(new Set([5, 2_000, 60_000, 34_560_000_000].flatMap((it) => [it, -it])));
    const steps = clocks.flatMap(({ offsetMs, thenMs }) => (thenMs === undefined ? [] : [offsetMs - thenMs]));
    expect(Math.min(...steps)).toBeGreaterThanOrEqual(1_000);
    expect(new Set(clocks.map((it) => serviceOf(it.process))).size).toBe(6);
  });

  it('freezes for longer than any lease, and lets the platform be slow when a sender wakes', () => {
    const long = fifty.filter(({ harm }) => harm.kind === 'long freeze');
    expect(Math.min(...long.map(({ lastsMs }) => lastsMs))).toBeGreaterThan(30_000);
    const slow = fifty.filter(({ harm }) => harm.kind === 'platform' && harm.times === 60);
    expect(slow.length).toBeGreaterThan(20);
  });

  it('breaks the nodes of a cluster in the place of its one server, and its primary for good, once', () => {
    const faults = makeSchedule({ seed: 7, ...fiveMinutes, isCluster: true });
    const kinds = faults.map(({ harm }) => kindOf(harm));
    for (const kind of ['NATS node away', 'NATS node frozen', 'kill pgbouncer'])
      expect(kinds).toContain(kind);
    expect(kinds.filter((it) => it.endsWith(' NATS'))).toEqual([]);
    expect(faults.filter(({ harm }) => harm.kind === 'failover').map(({ at }) => at)).toEqual([150_000]);
    expect(fifty.filter(({ harm }) => 'node' in harm || harm.kind === 'failover')).toEqual([]);
  });

  it('has what a planted bug needs, at its times, beside a few others', () => {
    const needed = [
      { harm: { kind: 'long freeze', process: 'delivery' }, lastsMs: 40_000 },
      { harm: { kind: 'kill NATS' }, lastsMs: 0, afterMs: 33_000 },
    ] as const;
    const faults = makePlantedSchedule({ seed: 3, everyMs: 1_100 }, needed);
    expect(faults.find(({ harm }) => harm.kind === 'long freeze')).toMatchObject({ at: 0, lastsMs: 40_000 });
    expect(faults.at(-1)).toMatchObject({ at: 33_000, harm: { kind: 'kill NATS' } });
    expect(faults.length).toBe(8);
  });
});
