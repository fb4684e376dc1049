import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Database,
  type ErasureBefore,
  eraseOrganizations,
  eraseRows,
  newId,
  silentLogger,
  statement,
} from '@stanza/runtime';
import { countedDuring, runJob } from '@stanza/test-kit/service-world';
import { Client } from 'pg';
import { storeByEvent } from '../testing/stored-events.ts';
import { newQueue, openWorld, pusher, rolling, somebody, type World } from '../testing/world.ts';
import { eraseEvents } from './erasure.ts';

/** Another organization's batches and events, of which an erasure reads only a few. */
const crowd = [
  `insert into queues (organization_id, environment, id, operation_id, name, mode, window_seconds, template_id,
     channel_id, is_active, created_by, created_at, updated_at)
   values ($1, 'production', $1, $1, 'Crowd', 'rolling_window', 60, $1, 'C1', true, 'ada', now(), now())`,
  `insert into batches (organization_id, environment, id, queue_id, status, policy, event_count, byte_count,
     opened_at, window_end, latest_end, closed_at, ended_at)
   select $1, 'production', gen_random_uuid(), $1, 'delivered', '{}', 1, 1, now(), now(), now(), now(), now()
   from generate_series(1, 3000)`,
  `insert into events (organization_id, environment, batch_id, position, received_at, id, event)
   select organization_id, environment, id, n, '2026-11-21T09:00:00Z'::timestamptz + n % 3 * interval '1 day',
     gen_random_uuid(), '{}'
   from batches, generate_series(0, 9) as n
   where organization_id = $1`,
  `insert into event_pushes (organization_id, environment, batch_id, position, received_at, event_count, first_id,
     packed)
   select organization_id, environment, batch_id, position, received_at, 1, id, ''
   from events
   where organization_id = $1`,
];

const rowsScanned = `select coalesce(sum(seq_tup_read), 0) as rows
   from pg_stat_xact_user_tables
   where relname ~ '^event(s|_pushes)_[0-9]'`;

const blockedSessions = statement<{ count: number }>(
  'test-blocked-sessions',
  `select count(*)::int as count
   from pg_stat_activity
   where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
);

describe('the erasure of an organization with events', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
    const id = newId();
    for (const step of crowd) await world.rows(step, [id]);
    const owner = new Client({ connectionString: world.ownerUrl });
    await owner.connect();
    await owner.query('analyze');
    await owner.end();
  });
  afterAll(() => world.close());

  const doomed = async () => {
    const principal = somebody();
    for (let count = 0; count < 12; count += 1) {
      const queue = await newQueue(world, principal, { ...rolling, is_active: count < 10 });
      if (count < 10) await pusher(world)(principal, queue.id, [{ id: 'a' }, { id: 'b' }]);
      if (count === 4) await storeByEvent(world, principal.organization_id);
    }
    return principal.organization_id;
  };
  const left = async (organizationId: string) => {
    const ofEvents = ['batches', 'events', 'event_pushes', 'event_keys', 'pushes', 'daily_events'];
    const tables = ['queues', 'queue_keys', ...ofEvents];
    const counts = await Promise.all(
      tables.map(async (table) => {
        const rows = await world.rows(`select from ${table} where organization_id = $1`, [organizationId]);
        return rows.length;
      }),
    );
    return counts.reduce((sum, one) => sum + one, 0);
  };

  it('reads no partition of events as a whole', async () => {
    const organizationId = await doomed();
    const read = await world.database.transaction(async (tx) => {
      const within: Database = {
        ...world.database,
        orm: tx.orm,
        query: (asked, values) => tx.query(asked, values),
        transaction: (work) => work(tx),
      };
      const erase = () => eraseRows(within, organizationId, { before: [eraseEvents] });
      return countedDuring(tx, rowsScanned, [], erase);
    });
    expect(read).toEqual({ rows: 0 });
    expect(await left(organizationId)).toBe(0);
    const [others] = await world.rows<{ events: number; pushes: number }>(
      'select (select count(*) from events) as events, (select count(*) from event_pushes) as pushes',
    );
    expect(others).toEqual({ events: 30_000, pushes: 30_000 });
  });

  it('waits for a push into the open batch, and deletes its events as well', async () => {
    const principal = somebody();
    const { id } = await newQueue(world, principal, rolling);
    await pusher(world)(principal, id, [{ id: 'a' }]);
    await storeByEvent(world, principal.organization_id);
    const erasing = await world.database.transaction(async (tx) => {
      await tx.orm.query('select from batches where organization_id = $1 for update', [
        principal.organization_id,
      ]);
      const erased = eraseRows(world.database, principal.organization_id, { before: [eraseEvents] });
      while ((await world.database.query(blockedSessions))[0]?.count === 0);
      for (const one of [
        `insert into events (organization_id, environment, batch_id, position, received_at, id, event)
         select organization_id, environment, batch_id, 1, received_at, gen_random_uuid(), '{}'
         from events
         where organization_id = $1`,
        `insert into event_pushes (organization_id, environment, batch_id, position, received_at, event_count,
           first_id, packed)
         select organization_id, environment, batch_id, 2, received_at, 1, gen_random_uuid(), ''
         from events
         where organization_id = $1 and position = 0`,
      ])
        await tx.orm.query(one, [principal.organization_id]);
      return { erased };
    });
    expect(await erasing.erased).toBe(true);
    expect(await left(principal.organization_id)).toBe(0);
  });

  it('leaves no events of a batch that begins after its pass', async () => {
    const principal = somebody();
    const { id } = await newQueue(world, principal, rolling);
    let isLate = true;
    const overtaking: ErasureBefore = {
      tables: [],
      step: async () => {
        if (isLate) await pusher(world)(principal, id, [{ id: 'late' }]);
        isLate = false;
        return { matching: 0, erased: 0, last: null };
      },
    };
    const before = [eraseEvents, overtaking];
    const erase = () => eraseRows(world.database, principal.organization_id, { before });
    await expect(erase()).rejects.toThrow('queues');
    expect(await erase()).toBe(true);
    expect(await left(principal.organization_id)).toBe(0);
  });

  it('continues where another process ended, and reports the total', async () => {
    const organizationId = await doomed();
    const all = await left(organizationId);
    const ended = () => () => true;
    const handler = () =>
      eraseOrganizations(
        'queue-ingest',
        { database: world.database, outbox: world.outbox, log: silentLogger() },
        { before: [eraseEvents], slice: ended },
      );
    const remaining: number[] = [];
    for (;;) {
      try {
        await runJob(handler(), { organization_id: organizationId });
        break;
      } catch (error) {
        expect(error).toMatchObject({ code: 'service_unavailable', facts: { retry_after: 1 } });
        remaining.push(await left(organizationId));
      }
    }
    expect(remaining.length).toBeGreaterThan(2);
    expect(remaining).toEqual([...new Set(remaining)].sort((one, other) => other - one));
    const reported = await world.rows<{ payload: { rows: number } }>(
      "select payload from outbox where subject like '%organization-erased' and payload ->> 'organization_id' = $1",
      [organizationId],
    );
    expect(reported.map((it) => it.payload.rows)).toEqual([all]);
    expect(await world.rows("select from outbox where subject = 'erased-rows'")).toEqual([]);
  });
});
