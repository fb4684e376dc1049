import { beforeEach, describe, expect, it } from '@jest/globals';
import { defaultTiers, type Principal } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { dropSurplusData } from '../schedules/store/surplus-data.ts';
import { ask, openWorld, somebody } from '../testing/world.ts';
import { cancelScheduledMessage } from './cancel-scheduled-message.ts';
import { countStoredTargets } from './count-stored-targets.ts';
import { createScheduledMessage } from './create-scheduled-message.ts';

const most = 5_000;
/** The bytes of `{"text":""}`. */
const around = 11;

describe('the data of scheduled messages', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;

  beforeEach(() => {
    principal = somebody();
    const stored = { ...defaultTiers.free.stored, scheduled_data_bytes: most };
    world().allowanceOf.set(principal.organization_id, stored);
  });

  const scheduleAs = (
    by: Principal,
    length: number,
    context = newContext({ deadlineMs: 5_000, principal: by }),
  ) => {
    const data = { text: 'x'.repeat(length - around) };
    const body = { template_id: uuidv7(), channel_id: 'C1', data, catch_up: false, cron: '@daily' };
    return ask(createScheduledMessage(world()), { body }, by, context);
  };
  const schedule = (length: number) => scheduleAs(principal, length);
  const stored = async (): Promise<number> => {
    const { organization_id } = principal;
    return (await ask(countStoredTargets(world()), { organization_id })).scheduled_data_bytes;
  };
  const refused = {
    code: 'tier_limit',
    message: expect.stringContaining(`${most} bytes of data of active scheduled messages`),
  };

  it('is refused beyond the bytes that the tier allows, over both environments, and nothing is stored', async () => {
    await schedule(3_000);
    await scheduleAs({ ...principal, environment: 'preview' }, 1_000);
    expect(await stored()).toBe(4_000);
    await expect(schedule(1_001)).rejects.toMatchObject(refused);
    expect(await stored()).toBe(4_000);
    await schedule(1_000);
    expect(await stored()).toBe(most);
  });

  it('gives its bytes back when the message is cancelled', async () => {
    const { id } = await schedule(most);
    await expect(schedule(around)).rejects.toMatchObject(refused);
    await ask(cancelScheduledMessage(world()), { params: { id } }, principal);
    expect(await stored()).toBe(0);
    await schedule(most);
  });

  it('lets two requests at one time not take the last bytes together', async () => {
    // A database that has a connection for each of them lets all begin before the first one ends.
    await Promise.all(Array.from({ length: 5 }, () => schedule(100)));
    const all = await Promise.allSettled(Array.from({ length: 5 }, () => schedule(3_000)));
    expect(all.filter((it) => it.status === 'fulfilled')).toHaveLength(1);
    expect(await stored()).toBe(3_500);
  });

  it('counts once for a repeated request, which is not refused where the limit has become less', async () => {
    const context = newContext({ deadlineMs: 5_000, principal });
    const { id } = await scheduleAs(principal, most, context);
    const less = { ...defaultTiers.free.stored, scheduled_data_bytes: 1 };
    world().allowanceOf.set(principal.organization_id, less);
    expect((await scheduleAs(principal, most, context)).id).toBe(id);
    expect(await stored()).toBe(most);
  });

  it('is measured where it is older than the count, and counted by the next request', async () => {
    const { organization_id } = principal;
    await schedule(3_000);
    await world().rows('update scheduled_messages set data_bytes = null where organization_id = $1', [
      organization_id,
    ]);
    expect(await stored()).toBe(3_000);
    await expect(schedule(2_001)).rejects.toMatchObject(refused);
    await schedule(1_000);
    const rows = await world().rows<{ data_bytes: number }>(
      'select data_bytes from scheduled_messages where organization_id = $1 order by id',
      [organization_id],
    );
    expect(rows.map((it) => it.data_bytes)).toEqual([3_000, 1_000]);
  });

  it('has no limit while the service that knows it is of the previous version', async () => {
    const { scheduled_data_bytes: _, ...before } = defaultTiers.free.stored;
    const allowances = { of: async () => before };
    const body = {
      template_id: uuidv7(),
      channel_id: 'C1',
      data: { text: 'x'.repeat(2 * most) },
      catch_up: false,
      cron: '@daily',
    };
    const context = newContext({ deadlineMs: 5_000, principal });
    await ask(createScheduledMessage({ ...world(), allowances }), { body }, principal, context);
    expect(await stored()).toBeGreaterThan(2 * most);
  });

  it('of ended ones stays up to as many bytes again, that of the longest ended goes first, and what a run reads stays', async () => {
    const { organization_id } = principal;
    const bytes = 600_000;
    const allowed = { ...defaultTiers.free.stored, scheduled_data_bytes: 2.5 * bytes };
    world().allowanceOf.set(organization_id, allowed);
    const insert = `
      with added as (
        insert into scheduled_messages (organization_id, environment, id, operation_id, status, template_id, data,
          channel_id, cron, catch_up, created_by, created_at, updated_at, ended_at)
        select $1, 'production', gen_random_uuid(), gen_random_uuid(), 'cancelled', gen_random_uuid(),
          json_build_object('text', repeat('x', ${bytes - around})), 'C1', '@daily', false, 'ada', now(), now(),
          now() - n * interval '1 day'
        from generate_series(1, 5) as n
        returning *
      )
      insert into scheduled_runs (organization_id, environment, scheduled_message_id, due_at, operation_id, status,
        started_at)
      select organization_id, environment, id, now(), gen_random_uuid(), 'pending', now()
      from added
      order by ended_at
      limit 1`;
    await world().rows(insert, [organization_id]);
    const left = async () =>
      (
        await world().rows<{ data_bytes: number }>(
          'select data_bytes from scheduled_messages where organization_id = $1 order by ended_at desc',
          [organization_id],
        )
      ).map(({ data_bytes }) => data_bytes > 2);
    expect(await left()).toEqual([true, true, true, true, true]);
    const { database, allowances } = world();
    expect(await dropSurplusData(database, allowances)).toBe(2);
    expect(await left()).toEqual([true, true, false, false, true]);
    expect(await dropSurplusData(database, allowances)).toBe(0);
  });
});
