import { describe, expect, it } from '@jest/globals';
import { deletedAtOnce } from '@stanza/runtime';
import { countingRows } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { connected, openWorld, send } from '../../testing/world.ts';
import { forgetDeferred } from './deferred-sends.ts';
import { forgetBegun, forgetWithdrawn } from './reservations.ts';

describe('rows that nothing needs any more', () => {
  const world = sharedByTests(openWorld);

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
      await world().rows(insert, [48, deletedAtOnce + 345]);
      await world().rows(insert, [1, 3]);
      const { counted, rounds } = countingRows(world().database);
      expect(await forget(counted)).toBe(deletedAtOnce + 345);
      expect(rounds).toEqual([deletedAtOnce, 345]);
      expect(await world().rows(`select 1 as kept from ${table}`)).toHaveLength(3);
    },
  );

  it('are the keys of requests whose messages exist, before withdrawals that nothing else stands for', async () => {
    await world().rows('delete from withdrawn_operations');
    const principal = await connected(world());
    const operations = [];
    for (const origin of ['send', 'batch', 'none']) {
      const { message_id } = await send(world(), principal);
      const [row] = await world().rows<{ operation_id: string }>(
        origin === 'none'
          ? 'delete from messages where id = $1 returning operation_id'
          : `update messages set origin = '${origin}' where id = $1 returning operation_id`,
        [message_id],
      );
      operations.push(row?.operation_id);
    }
    expect(await forgetBegun(world().database)).toBe(0);
    await world().rows("update withdrawn_operations set withdrawn_at = now() - interval '2 hours'");
    expect(await forgetBegun(world().database)).toBe(1);
    expect(await forgetBegun(world().database)).toBe(0);
    const kept = await world().rows<{ operation_id: string }>(
      'select operation_id from withdrawn_operations order by operation_id',
    );
    expect(kept.map((it) => it.operation_id)).toEqual(operations.slice(1).toSorted());
  });
});
