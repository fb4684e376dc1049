import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { metricCatalogue, type Principal } from '@stanza/contracts';
import { type Queryable, silentLogger } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { Client } from 'pg';
import { keepHouse } from '../jobs/keep-house.ts';
import { awaitTodaysPartitions, dropSpentPartitions } from '../jobs/keep-partitions.ts';
import { storeByEvent } from '../testing/stored-events.ts';
import { newQueue, openWorld, pusher, rolling, somebody } from '../testing/world.ts';
import { calendarOf, dailyTables, dropPartitionOf, makePartitionOf } from './partitions.ts';

describe.each(dailyTables)('the partitions of %s, during a long read of them', (table) => {
  const world = sharedByTests(openWorld);
  let reader: Client;
  let principal: Principal;

  beforeEach(async () => {
    principal = somebody();
    reader = new Client({ connectionString: world().url });
    await reader.connect();
    await reader.query('begin');
    await reader.query(`select count(*) from ${table}`);
  });
  afterEach(() => reader.end());

  const ownDays = async () => (await calendarOf(table, world().database)).own;
  const today = async () => (await calendarOf(table, world().database)).today;

  /** Pushes an event that the table stores, which releases up to 0.2.0 have done by event. */
  const push = async (queueId: string): Promise<void> => {
    await pusher(world())(principal, queueId, [{ n: 1 }]);
    if (table === 'events') await storeByEvent(world(), principal.organization_id);
  };

  const house = () => keepHouse(world(), { STANZA_EVENT_DAYS: 30 }, silentLogger())();

  it('are created for the days ahead once it has ended, without blocking pushes until then', async () => {
    const queue = await newQueue(world(), principal, rolling);
    world().clock.passSeconds(86_400);
    const keeping = house();
    await expect(pusher(world())(principal, queue.id, [{ n: 1 }])).resolves.toMatchObject({ event_count: 1 });
    await keeping;
    const before = await ownDays();
    await reader.query('rollback');
    await house();
    expect((await ownDays()).length).toBeGreaterThan(before.length);
  });

  it('are dropped once it has ended, without blocking pushes until then', async () => {
    await reader.query('rollback');
    const queue = await newQueue(world(), principal, rolling);
    const [oldest = ''] = await ownDays();
    world().clock.passSeconds(34 * 86_400);
    await makePartitionOf(table, world().database, await today());
    await reader.query('begin');
    await reader.query(`select count(*) from ${table}`);
    const keeping = house();
    await expect(pusher(world())(principal, queue.id, [{ n: 1 }])).resolves.toMatchObject({ event_count: 1 });
    await keeping;
    expect(await ownDays()).toContain(oldest);
    await reader.query('rollback');
    await house();
    expect(await ownDays()).not.toContain(oldest);
  });

  it('are tried once per run while locked, and one in use does not end the run', async () => {
    await reader.query('rollback');
    const made = await today();
    await makePartitionOf(table, world().database, made);
    const queue = await newQueue(world(), principal, rolling);
    await push(queue.id);
    await house();
    const later = (await ownDays()).filter((day) => day > made);
    world().clock.passSeconds(50 * 86_400);
    expect(await dropPartitionOf(table, world().database, made)).toBe('used');
    expect(await dropPartitionOf(table, world().database, '2001-01-01')).toBe('absent');

    await reader.query('begin');
    await reader.query(`select count(*) from ${table}`);
    const outcomes: unknown[] = [];
    const counted: Queryable = {
      orm: world().database.orm,
      query: async (asked, values) => {
        const rows = await world().database.query(asked, values);
        if (values?.[0] === table)
          outcomes.push(...rows.flatMap((row) => ('outcome' in row ? [row.outcome] : [])));
        return rows;
      },
    };
    const drop = () => dropSpentPartitions({ ...world(), database: counted }, 30, silentLogger());
    await drop();
    expect(outcomes.filter((it) => it === 'locked')).toHaveLength(1);
    expect(outcomes.at(-1)).toBe('locked');
    await reader.query('rollback');
    outcomes.length = 0;
    await drop();
    expect(outcomes).toContain('used');
    expect(outcomes).not.toContain('locked');
    const left = await ownDays();
    expect(left).toContain(made);
    expect(left.filter((day) => later.includes(day))).toEqual([]);
  });

  it('do not delay a start when that of today exists', async () => {
    await reader.query('rollback');
    await makePartitionOf(table, world().database, await today());
    await reader.query('begin');
    await reader.query(`lock table ${table} in access share mode`);
    await awaitTodaysPartitions(world(), silentLogger());
    expect(await ownDays()).toContain(await today());
  });

  it('delay a start without that of today until the reader has ended', async () => {
    world().clock.passSeconds(20 * 86_400);
    const waited = Promise.withResolvers<void>();
    const log = { ...silentLogger(), warn: () => waited.resolve() };
    const starting = awaitTodaysPartitions(world(), log);
    await waited.promise;
    expect(await ownDays()).not.toContain(await today());
    await reader.query('rollback');
    await starting;
    expect(await ownDays()).toContain(await today());
  });

  it('lack a day whose events came before it', async () => {
    await reader.query('rollback');
    const queue = await newQueue(world(), principal, rolling);
    world().clock.passSeconds(20 * 86_400);
    await push(queue.id);
    const day = await today();
    await awaitTodaysPartitions(world(), silentLogger());
    await house();
    const days = await ownDays();
    expect(days).not.toContain(day);
    expect(days.filter((it) => it > day)).toHaveLength(7);
  });

  it('are missing while events come without one, and no longer once their day has passed', async () => {
    await reader.query('rollback');
    const missing = async () => {
      await house();
      return (await world().metrics.gauge(metricCatalogue.queues.partitionMissing).get()).values[0]?.value;
    };
    const queue = await newQueue(world(), principal, rolling);
    world().clock.passSeconds(20 * 86_400);
    await push(queue.id);
    expect(await missing()).toBe(1);
    world().clock.passSeconds(86_400);
    expect(await missing()).toBe(0);
  });
});
