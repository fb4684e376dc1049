import { beforeEach, describe, expect, it } from '@jest/globals';
import { rates } from '@stanza/contracts';
import type { Database } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 } from 'uuid';
import { openWorld } from '../testing/world.ts';
import { type Quota, RateLimits } from './rate-limits.ts';

const limit = rates.authoring.requests;

describe('the rate of an organization', () => {
  const world = sharedByTests(openWorld);
  let milliseconds: number;
  beforeEach(() => {
    milliseconds = 0;
  });

  const gateway = (database: Database = world().database): RateLimits =>
    new RateLimits({
      ...world(),
      database,
      clock: { monotonic: () => milliseconds },
      at: () => new Date(Date.parse('2026-11-21T08:00:00Z') + milliseconds),
    });
  /** A database that counts its statements, and fails on the test's command. */
  const watched = () => {
    const seen = { statements: 0, isAway: false };
    const database: Database = {
      ...world().database,
      orm: world().database.orm,
      transaction: (work, options) => world().database.transaction(work, options),
      close: () => world().database.close(),
      query: (statement, values) => {
        seen.statements += 1;
        return seen.isAway ? Promise.reject(new Error('away')) : world().database.query(statement, values);
      },
    };
    return { seen, database };
  };
  const granted = (quotas: readonly (Quota | undefined)[]): number =>
    quotas.filter((quota) => quota?.isGranted).length;
  const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => make(index)));

  it('is shared by three gateways: 360 requests in a minute give 120 successes', async () => {
    const organization = v7();
    const gateways = [gateway(), gateway(), gateway()];
    let passed = 0;
    for (let second = 0; second < 60; second += 1) {
      milliseconds = second * 1_000;
      const quotas = await times(6, (index) =>
        Promise.resolve(gateways[index % 3]?.take(organization, 'authoring')),
      );
      passed += granted(quotas);
    }
    expect(passed).toBe(limit);
  });

  it('is counted by few statements for concurrent requests', async () => {
    const { seen, database } = watched();
    const limits = gateway(database);
    const organization = v7();
    expect(granted(await times(limit, () => limits.take(organization, 'authoring')))).toBe(limit);
    expect(seen.statements).toBeLessThanOrEqual(2);
  });

  it('reports the remaining requests after each', async () => {
    const limits = gateway();
    const organization = v7();
    const quotas = await times(3, () => limits.take(organization, 'authoring'));
    expect(quotas.map((quota) => quota?.remaining)).toEqual([limit - 1, limit - 2, limit - 3]);
    expect(quotas[0]?.secondsToMore).toBe(60);
  });

  it('needs no statement while it is used up', async () => {
    const { seen, database } = watched();
    const limits = gateway(database);
    const organization = v7();
    await times(limit + 1, () => limits.take(organization, 'authoring'));
    const before = seen.statements;
    milliseconds = 60_999;
    const [refused] = await times(50, () => limits.take(organization, 'authoring'));
    expect(refused).toEqual({ isGranted: false, remaining: 0, secondsToMore: 1 });
    expect(seen.statements).toBe(before);
    milliseconds = 61_000;
    expect(await limits.take(organization, 'authoring')).toMatchObject({ isGranted: true });
  });

  it('lets requests pass uncounted while the database is unavailable', async () => {
    const { seen, database } = watched();
    const limits = gateway(database);
    seen.isAway = true;
    expect(await limits.take(v7(), 'authoring')).toBeUndefined();
    const outcomes = await world().metrics.rated.get();
    expect(outcomes.values).toContainEqual(
      expect.objectContaining({ labels: expect.objectContaining({ outcome: 'uncounted' }) }),
    );
  });
});
