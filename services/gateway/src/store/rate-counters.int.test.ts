import { describe, expect, it } from '@jest/globals';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 } from 'uuid';
import { openWorld } from '../testing/world.ts';
import { type Counted, countRequests, secondsToMore, sweepRateCounters, usedOf } from './rate-counters.ts';

const start = Date.parse('2026-11-21T08:00:00.500Z');
const after = (seconds: number): Date => new Date(start + seconds * 1_000);
const limit = { rate: 'authoring', requests: 5, seconds: 60 } as const;

describe('the requests counted against a rate', () => {
  const world = sharedByTests(openWorld);

  const counter = (organizationId: string = v7()) => ({
    organizationId,
    take: (wanted: number, seconds = 0, more: object = {}): Promise<Counted> =>
      countRequests(organizationId, world().database, { ...limit, wanted, ...more }, after(seconds)),
  });
  const granted = async (counting: Promise<Counted>): Promise<number> => (await counting).granted;

  it('are granted as far as the limit allows', async () => {
    const { take } = counter();
    expect(await granted(take(3))).toBe(3);
    expect(await granted(take(3))).toBe(2);
    expect(await granted(take(1))).toBe(0);
  });

  it('are granted up to the limit when more arrive at first', async () => {
    const { take } = counter();
    expect(await granted(take(9))).toBe(5);
    expect(await granted(take(1))).toBe(0);
  });

  it('free capacity one by one, when their minute is over and not before', async () => {
    const { take } = counter();
    expect(await granted(take(2, 0))).toBe(2);
    expect(await granted(take(3, 30))).toBe(3);
    expect(await granted(take(1, 60.4))).toBe(0);
    expect(await granted(take(5, 60.5))).toBe(2);
    expect(await granted(take(5, 90.4))).toBe(0);
    expect(await granted(take(5, 90.5))).toBe(3);
    expect(await granted(take(9, 1_000))).toBe(5);
  });

  it('report the time of the next one, and the rest', async () => {
    const { take } = counter();
    const first = await take(1, 0);
    expect([usedOf(first), secondsToMore(first, first.now)]).toEqual([1, 61]);
    const second = await take(4, 20);
    expect([usedOf(second), secondsToMore(second, second.now)]).toEqual([5, 41]);
    const refused = await take(1, 60);
    expect([usedOf(refused), secondsToMore(refused, refused.now)]).toEqual([5, 1]);
    const next = await take(1, 61);
    expect([next.granted, secondsToMore(next, next.now)]).toEqual([1, 20]);
  });

  it('stay counted when a clock goes back', async () => {
    const { take } = counter();
    expect(await granted(take(5, 100))).toBe(5);
    expect(await granted(take(1, 40))).toBe(0);
    expect(await granted(take(1, 160.4))).toBe(0);
    expect(await granted(take(1, 161))).toBe(1);
  });

  it('are counted exactly under concurrency', async () => {
    const { take } = counter();
    const all = await Promise.all(Array.from({ length: 40 }, () => granted(take(1, 0, { requests: 17 }))));
    expect(all.reduce((sum, one) => sum + one, 0)).toBe(17);
  });

  it('are counted separately for each organization and rate', async () => {
    const { organizationId, take } = counter();
    expect(await granted(take(5))).toBe(5);
    expect(await granted(counter().take(5))).toBe(5);
    expect(await granted(counter(organizationId).take(5, 0, { rate: 'preview' }))).toBe(5);
  });

  it('use the time of the database by default', async () => {
    const moment = async (): Promise<number> => {
      const [row] = await world().rows<{ seconds: number }>(
        'select extract(epoch from clock_timestamp())::float8 as seconds',
      );
      return row?.seconds ?? Number.NaN;
    };
    const before = await moment();
    const counted = await countRequests(v7(), world().database, { ...limit, wanted: 1 });
    const moments = [before, counted.now, await moment()];
    expect(moments).toEqual(moments.toSorted((one, other) => one - other));
    expect(counted.newest).toBe(Math.floor(counted.now));
  });

  it('are deleted once their counter has been unused for a time', async () => {
    const { organizationId, take } = counter();
    const kept = counter();
    await take(1, 0);
    await kept.take(1, 200);
    expect(await sweepRateCounters(world().database, 120, after(121))).toBeGreaterThanOrEqual(1);
    const left = await world().rows<{ organization_id: string }>(
      'select organization_id from rate_counters where organization_id = any ($1)',
      [[organizationId, kept.organizationId]],
    );
    expect(left).toEqual([{ organization_id: kept.organizationId }]);
  });
});
