import { describe, expect, it } from '@jest/globals';
import { defaultTiers } from '@stanza/contracts';
import { until } from '@stanza/runtime/testing/wait';
import { sharedByTests } from '@stanza/test-kit/shared';
import { byThree, newQueue, openWorld, pusher, somebody } from '../testing/world.ts';

describe('a push that waits for the counter of its organization while the day ends', () => {
  const world = sharedByTests(openWorld);

  const waiting = async (): Promise<boolean> => {
    const found = await world().rows(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%daily_events%'`,
    );
    return found.length > 0;
  };

  it('a push that waits over midnight counts in the new day, whatever the previous day has left', async () => {
    const { rows, clock, database, tierOf } = world();
    const principal = somebody();
    const { organization_id } = principal;
    tierOf.set(organization_id, { ...defaultTiers.pro, events_per_day: 1 });
    const queue = await newQueue(world(), principal, byThree);
    const push = pusher(world());
    clock.passSeconds((Date.parse('2026-11-21T23:59:59Z') - clock.now().getTime()) / 1_000);
    await push(principal, queue.id, [{}]);
    const held = Promise.withResolvers<void>();
    const hold = database.transaction(async (tx) => {
      await tx.orm.query('select from daily_events where organization_id = $1 for update', [organization_id]);
      await held.promise;
    });
    const pushed = push(principal, queue.id, [{}]);
    await until(waiting);
    clock.passSeconds(2);
    // The clock of the database follows before a statement.
    await rows('select 1');
    held.resolve();
    await hold;
    expect(await pushed).toMatchObject({ event_count: 2 });
    expect(
      await rows('select day::text, events from daily_events where organization_id = $1 order by day', [
        organization_id,
      ]),
    ).toEqual([
      { day: '2026-11-21', events: 1 },
      { day: '2026-11-22', events: 1 },
    ]);
  });
});
