import { afterEach, describe, expect, it } from '@jest/globals';
import { countingRows } from '@stanza/test-kit/service-world';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { openWorld } from '../../testing/world.ts';
import { dueSenders } from './deferred-sends.ts';

/** Comes after every other organization. */
const last = 'ffffffff-ffff-4fff-bfff-ffffffffffff';

describe('organizations with due messages', () => {
  const world = sharedByTests(openWorld);

  afterEach(() => world().rows('delete from deferred_sends returning 1'));

  const insert = (organization: string, minutes: number, count: number) =>
    world().rows(
      `insert into deferred_sends (organization_id, environment, operation_id, origin, origin_id, status, due_at,
         give_up_at, created_at)
       select ${organization}, 'production', gen_random_uuid(), 'batch', gen_random_uuid(), 'waiting',
         now() + $1 * interval '1 minute', now() + interval '1 day', now()
       from generate_series(1, $2)
       returning 1`,
      [minutes, count],
    );
  /** Messages of as many organizations, which are due later. */
  const waitingOrganizations = (count: number) => insert('gen_random_uuid()', 60, count);
  const due = (organizationId: string, count: number) => insert(`'${organizationId}'::uuid`, -60, count);

  it('are named by one short look, however many organizations wait', async () => {
    await waitingOrganizations(3_000);
    const senders = dueSenders();
    const { counted, rounds } = countingRows(world().database);
    expect(await senders.find(counted)).toEqual([]);
    const organizations = [uuidv7(), uuidv7(), last];
    for (const id of organizations) await due(id, 10);
    expect((await senders.find(counted)).toSorted()).toEqual(organizations.toSorted());
    expect(rounds).toEqual([0, 30]);
  });

  it('are each reached within a few looks, however much another one has due, and many wait', async () => {
    const busy = uuidv7();
    await waitingOrganizations(500);
    await due(busy, 2_000);
    await insert(`'${last}'::uuid`, -1, 1);
    const senders = dueSenders();
    const { counted, rounds } = countingRows(world().database);
    const looks: string[][] = [];
    while (looks.length < 6) looks.push(await senders.find(counted));
    for (const found of looks) expect(found).toContain(busy);
    // A lap over all organizations takes three looks, and begins again.
    expect(looks.filter((found) => found.includes(last))).toHaveLength(2);
    expect(looks.slice(0, 3).some((found) => found.includes(last))).toBe(true);
    // No look reads the backlog or all organizations.
    expect(Math.max(...rounds)).toBeLessThanOrEqual(200);
  });
});
