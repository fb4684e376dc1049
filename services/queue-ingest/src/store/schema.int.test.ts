import { beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@stanza/runtime';
import { asOwner } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { keepHouse } from '../jobs/keep-house.ts';
import { storeByEvent, storedEvents } from '../testing/stored-events.ts';
import { newQueue, openWorld, pusher, rolling, somebody } from '../testing/world.ts';
import { calendarOf, dailyTables } from './partitions.ts';

const manyRows = [
  `insert into queues (organization_id, environment, id, operation_id, name, mode, window_seconds, template_id,
     channel_id, is_active, created_by, created_at, updated_at)
   select ('01938c2e-7b1a-7c3d-9e4f-' || lpad((n % 500)::text, 12, '0'))::uuid, 'production', gen_random_uuid(),
     gen_random_uuid(), 'Queue ' || n, 'rolling_window', 60, gen_random_uuid(), 'C1', true, 'ada',
     now() - n * interval '1 minute', now()
   from generate_series(1, 2000) as n`,
  `insert into batches (organization_id, environment, id, queue_id, status, policy, event_count, byte_count,
     opened_at, window_end, latest_end, closed_at, ended_at)
   select organization_id, environment, gen_random_uuid(), id,
     case when n = 1 then 'collecting' else 'delivered' end, '{}', 1, 1, now() - n * interval '1 hour',
     now() - interval '1 hour', now() + interval '2 hours', case when n > 1 then now() end,
     case when n > 1 then now() end
   from queues, generate_series(1, 10) as n`,
  `insert into events (organization_id, environment, batch_id, position, received_at, id, event)
   select organization_id, environment, id, 0, '2026-11-21T09:00:00Z', gen_random_uuid(), '{}'
   from batches`,
  `insert into event_pushes (organization_id, environment, batch_id, position, received_at, event_count, first_id,
     packed)
   select organization_id, environment, id, 0, '2026-11-21T09:00:00Z', 1, gen_random_uuid(), ''
   from batches`,
  `insert into event_keys (organization_id, environment, queue_id, event_key, event_id, batch_id, received_at)
   select organization_id, environment, queue_id, id::text, gen_random_uuid(), id, now()
   from batches`,
];

describe('the schema', () => {
  const world = sharedByTests(openWorld);

  it('never holds two open batches of a queue', async () => {
    const queue = await newQueue(world(), somebody(), rolling);
    const insert = `insert into batches (organization_id, environment, id, queue_id, status, policy, event_count,
        byte_count, opened_at, window_end, latest_end)
      select $1, 'production', gen_random_uuid(), $2, 'collecting', '{}', 0, 0, now(), now(), now()
      from generate_series(1, 2)`;
    await expect(world().rows(insert, [queue.organization_id, queue.id])).rejects.toThrow(
      'batches_collecting',
    );
  });

  describe('with many rows', () => {
    beforeAll(async () => {
      for (const step of manyRows) await world().rows(step);
      await asOwner('queue-ingest', world().ownerUrl, (owner) => owner.query('analyze'));
    });

    const one = "'01938c2e-7b1a-7c3d-9e4f-000000000001'";
    const tenant = `organization_id = ${one} and environment = 'production'`;

    it.each([
      [
        'the open batch of a queue',
        `select from batches where ${tenant} and queue_id = ${one} and status = 'collecting'`,
        /batches_(collecting|opened_at)/,
      ],
      [
        'the next batch to close',
        "select from batches where status = 'collecting' order by window_end limit 1",
        /batches_due/,
      ],
      [
        'the due batches of an organization',
        `select from batches where organization_id = ${one} and status = 'collecting' and closed_at is null
           and window_end <= now()
         order by window_end limit 20`,
        // As many as these are as quickly sorted as read in their order.
        /batches_(turns|collecting)/,
      ],
      [
        'the events of a batch',
        `select from events where batch_id = ${one} and received_at >= '2026-11-21T08:00:00Z'`,
        /events_20261121_pkey/,
      ],
      [
        'the pushes of a batch',
        `select from event_pushes where batch_id = ${one} and received_at >= '2026-11-21T08:00:00Z'`,
        /event_pushes_20261121_pkey/,
      ],
      [
        'the keys of events',
        `select from event_keys where ${tenant} and queue_id = ${one} and event_key = 'a'`,
        /event_keys_pkey/,
      ],
    ])('finds %s by an index', async (_, query, index) => {
      const plan = await world().rows<{ 'QUERY PLAN': string }>(`explain ${query}`);
      const text = plan.map((it) => it['QUERY PLAN']).join('\n');
      expect(text).toMatch(index);
      expect(text).not.toContain('Seq Scan on batches');
    });
  });

  describe('kept in order', () => {
    const house = () => keepHouse(world(), { STANZA_EVENT_DAYS: 30 }, silentLogger());

    it.each(dailyTables)('has partitions of %s for a week ahead, and drops empty old ones', async (table) => {
      const partitions = async () => (await calendarOf(table, world().database)).own;
      const dayFromNow = (days: number) =>
        new Date(world().clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
      await house()();
      expect((await partitions()).at(-1)).toBe(dayFromNow(7));
      const past = dayFromNow(2);
      expect(await partitions()).toContain(past);
      world().clock.passSeconds(40 * 86_400);
      await house()();
      const after = await partitions();
      expect(after.at(-1)).toBe(dayFromNow(7));
      expect(after).not.toContain(past);
    });

    it('deletes batches delivered long ago, and no open, failed or unknown ones', async () => {
      const principal = somebody();
      const statuses = ['delivered', 'failed', 'unknown', 'ready'];
      const queues = await Promise.all(statuses.map(() => newQueue(world(), principal, rolling)));
      const push = pusher(world());
      for (const queue of queues) await push(principal, queue.id, [{ id: 'a' }]);
      await storeByEvent(world(), principal.organization_id);
      const ids = await Promise.all(
        statuses.map(async (status, at) => {
          const { batch_id: id } = await push(principal, queues[at]?.id ?? '', [{ id: 'b' }, { id: 'c' }]);
          await world().rows(
            'update batches set status = $2, closed_at = $3, ended_at = $3 where id = $1 returning id',
            [id, status, world().clock.now()],
          );
          return id;
        }),
      );
      world().clock.passSeconds(31 * 86_400);
      await house()();
      const left = await world().rows<{ status: string; events: number }>(
        `select status,
           (select count(*) from events where batch_id = batches.id) as events,
           (select count(*) from event_pushes where batch_id = batches.id) as pushes
         from batches
         where id = any ($1)
         order by status`,
        [ids],
      );
      expect(left).toEqual([
        { status: 'failed', events: 1, pushes: 1 },
        { status: 'ready', events: 1, pushes: 1 },
        { status: 'unknown', events: 1, pushes: 1 },
      ]);
      expect((await storedEvents(world(), principal.organization_id)).length).toBe(9);
      const keys = await world().rows('select from event_keys where organization_id = $1', [
        principal.organization_id,
      ]);
      expect(keys).toEqual([]);
    });
  });
});
