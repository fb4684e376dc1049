import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ErrorCode } from '@stanza/contracts';
import { dueNow } from '@stanza/runtime/testing/due-now';
import { sharedByTests } from '@stanza/test-kit/shared';
import { waitFor } from '@stanza/test-kit/wait';
import {
  inAnHour,
  jumpTo,
  newScheduler,
  openScheduleWorld,
  type Scheduler,
  workerOf,
} from '../../testing/schedules.ts';
import {
  anotherProcess,
  limitRate,
  type Misbehaviour,
  refusalOf,
  rowsOf,
  settlementsOf,
} from '../../testing/world.ts';

const minuteMs = 60_000;
const hourly = { cron: '0 * * * *' };

describe('runs of a scheduled message', () => {
  const world = sharedByTests(openScheduleWorld);
  let me: Scheduler;

  beforeEach(async () => {
    me = await newScheduler(world());
  });

  const outcomes: [string, Omit<Misbehaviour, 'method'>, string, ErrorCode | null, number][] = [
    ['refuses the channel', { mode: 'error', value: 'not_in_channel' }, 'failed', 'invalid_destination', 0],
    ['refuses the token', { mode: 'error', value: 'token_revoked' }, 'failed', 'chat_not_connected', 0],
    ['leaves it open', { mode: 'error', value: 'internal_error' }, 'unknown', 'delivery_outcome_unknown', 0],
    ['fails', { mode: 'status', value: 503 }, 'unknown', 'delivery_outcome_unknown', 0],
    ['resets before accepting', { mode: 'reset_before' }, 'unknown', 'delivery_outcome_unknown', 0],
    ['resets after accepting', { mode: 'reset_after' }, 'sent', null, 1],
    ['asks to wait a second', { mode: 'rate_limited', value: 1 }, 'sent', null, 1],
  ];

  it.each(outcomes)('end as the platform lets them when it %s', async (_, fault, status, error, posts) => {
    const made = await me.schedule(inAnHour(world()));
    await world().misbehave({ method: 'chat.postMessage', channel: me.channel, times: 1, ...fault });
    // On the platform's own time, by which a message is looked for after its answer was lost.
    const present = anotherProcess(world());
    await world().rows(
      `update scheduled_messages set next_run_at = ${dueNow}, send_at = ${dueNow} where id = $1 returning id`,
      [made.id],
    );
    await workerOf(present).begin();
    await workerOf(present).sendDue();
    await world().replica.work();
    expect(await me.read(made.id)).toMatchObject({ status: 'completed', last_run: { status, error } });
    await present.chat.close();
    expect(await world().postsIn(me.channel)).toHaveLength(posts);
    const settled = (await settlementsOf(world(), me.principal)).flatMap((it) => it.items);
    expect(settled).toMatchObject([{ charged: status === 'sent' }]);
  });

  describe('when it is cancelled', () => {
    it('do not begin any more', async () => {
      const made = await me.schedule(inAnHour(world()));
      await me.cancel(made.id);
      jumpTo(world(), made.next_run_at);
      await world().replica.work();
      expect(await world().postsIn(me.channel)).toEqual([]);
      expect(await me.read(made.id)).toMatchObject({ status: 'cancelled', runs: [] });
    });

    it('are stopped if they were not posted yet, and cost nothing', async () => {
      const made = await me.schedule(inAnHour(world()));
      await limitRate(world(), me.channel, 30);
      jumpTo(world(), made.next_run_at);
      await world().replica.work();
      expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'accepted' }]);
      await me.cancel(made.id);
      expect(await me.read(made.id)).toMatchObject({
        status: 'cancelled',
        last_run: { status: 'pending' },
      });
      world().clock.jump(minuteMs);
      await world().replica.work();
      expect(await me.read(made.id)).toMatchObject({
        status: 'cancelled',
        last_run: {
          status: 'failed',
          error: 'invalid_state',
          error_details: expect.stringContaining('cancelled'),
        },
      });
      expect(await world().postsIn(me.channel)).toEqual([]);
      const settled = (await settlementsOf(world(), me.principal)).flatMap((it) => it.items);
      expect(settled).toMatchObject([{ charged: false }]);
    });

    it('are stopped even while a process is about to post them', async () => {
      const made = await me.schedule(inAnHour(world()));
      jumpTo(world(), made.next_run_at);
      await world().replica.begin();
      const { channelOf } = world().recipients;
      const lookup = jest.spyOn(world().recipients, 'channelOf').mockImplementationOnce(async (...args) => {
        await me.cancel(made.id);
        return channelOf.apply(world().recipients, args);
      });
      await world().replica.sendDue();
      expect(lookup).toHaveBeenCalledTimes(1);
      lookup.mockRestore();
      world().clock.jump(minuteMs);
      await world().replica.sendDue();
      expect(await me.read(made.id)).toMatchObject({
        last_run: { status: 'failed', error: 'invalid_state' },
      });
      expect(await world().postsIn(me.channel)).toEqual([]);
    });

    it('are not posted after the cancellation was answered, however long the beginning of the post waits', async () => {
      const made = await me.schedule(inAnHour(world()));
      await limitRate(world(), me.channel, 30);
      jumpTo(world(), made.next_run_at);
      await world().replica.work();
      const [row] = await rowsOf(world(), me.principal);
      world().clock.jump(minuteMs);
      const waiting = async (count: number) =>
        waitFor(`${count} statements to wait for a lock`, async () => {
          const waiters = await world().rows(
            "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
          );
          return waiters.length >= count;
        });
      // Takes the row between the snapshot of the statement that begins the post and its lock.
      const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const hold = () =>
        world().realDatabase.transaction(async ({ orm }) => {
          await orm.query('select from messages where id = $1 for no key update', [row?.id]);
          held.resolve();
          await release.promise;
        });
      const { channelOf } = world().recipients;
      let holding: Promise<void> | undefined;
      const lookup = jest.spyOn(world().recipients, 'channelOf').mockImplementationOnce(async (...args) => {
        holding = hold();
        await held.promise;
        return channelOf.apply(world().recipients, args);
      });
      const working = world().replica.sendDue();
      await waiting(1);
      let isAnswered = false;
      const cancelling = me.cancel(made.id).then(
        () => {
          isAnswered = true;
        },
        // It came too late: another statement waited in its place until the run had ended.
        (error: unknown) => expect(error).toMatchObject({ code: 'invalid_state' }),
      );
      await Promise.race([cancelling, waiting(2)]);
      const postsAllowed = isAnswered ? 0 : 1;
      release.resolve();
      await Promise.all([holding, working, cancelling]);
      lookup.mockRestore();
      expect((await world().postsIn(me.channel)).length).toBeLessThanOrEqual(postsAllowed);
      world().clock.jump(minuteMs);
      await world().replica.work();
      expect((await me.read(made.id)).last_run?.status).toMatch(/^(sent|failed)$/);
    });

    it('are over when they were posted, and there is nothing to cancel', async () => {
      const made = await me.schedule(inAnHour(world()));
      jumpTo(world(), made.next_run_at);
      await world().replica.work();
      expect(await refusalOf(me.cancel(made.id))).toMatchObject({ code: 'invalid_state' });
      expect(await me.read(made.id)).toMatchObject({ status: 'completed' });
    });

    it('are posted or stopped, never both, whenever that happens', async () => {
      for (let round = 0; round < 8; round += 1) {
        me = await newScheduler(world());
        const made = await me.schedule(hourly);
        jumpTo(world(), made.next_run_at);
        if (round % 2 === 0) await world().replica.begin();
        await Promise.all([world().replica.work(), me.cancel(made.id)]);
        world().clock.jump(minuteMs);
        await world().replica.work();
        const { status, last_run } = await me.read(made.id);
        expect(status).toBe('cancelled');
        expect(await world().postsIn(me.channel)).toHaveLength(last_run?.status === 'sent' ? 1 : 0);
        expect([undefined, 'sent', 'failed']).toContain(last_run?.status);
      }
    });
  });
});
