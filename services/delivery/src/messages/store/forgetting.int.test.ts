import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deletedAtOnce, type Queryable } from '@stanza/runtime';
import { openWorld, type World } from '../../testing/world.ts';
import { forgetDeferred } from './deferred-sends.ts';
import { forgetWithdrawn } from './reservations.ts';

const day = 24 * 3_600_000;

describe('rows that nothing needs any more', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const tables = [
    [
      'withdrawn operations',
      'withdrawn_operations',
      `insert into withdrawn_operations (organization_id, environment, operation_id, withdrawn_at)
       select gen_random_uuid(), 'production', gen_random_uuid(), now() - $1 * interval '1 hour'
       from generate_series(1, $2::integer)`,
      forgetWithdrawn,
    ],
    [
      'deferred sends',
      'deferred_sends',
      `insert into deferred_sends (organization_id, environment, operation_id, origin, origin_id, status, due_at,
         give_up_at, created_at, ended_at)
       select gen_random_uuid(), 'production', gen_random_uuid(), 'batch', gen_random_uuid(), 'ended', now(), now(), now(),
         now() - $1 * interval '1 hour'
       from generate_series(1, $2::integer)`,
      forgetDeferred,
    ],
  ] as const;

  it.each(tables)(
    'are deleted in bounded batches, and younger ones stay: %s',
    async (_, table, insert, forget) => {
      await world.rows(insert, [48, deletedAtOnce + 345]);
      await world.rows(insert, [1, 3]);
      const before = new Date(world.clock.now().getTime() - day);
      const rounds: number[] = [];
      const counted: Queryable = {
        orm: world.database.orm,
        query: async (asked, values) => {
          const rows = await world.database.query(asked, values);
          rounds.push(rows.length);
          return rows;
        },
      };
      expect(await forget(counted, before)).toBe(deletedAtOnce + 345);
      expect(rounds).toEqual([deletedAtOnce, 345]);
      expect(await world.rows(`select 1 as kept from ${table}`)).toHaveLength(3);
    },
  );
});
