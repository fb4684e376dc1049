import { beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, renderTemplate } from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import {
  inAnHour,
  jumpTo,
  newScheduler,
  openScheduleWorld,
  type Scheduler,
} from '../../testing/schedules.ts';
import { limitRate, rowsOf, settlementsOf } from '../../testing/world.ts';

const minuteMs = 60_000;
const hourly = { cron: '0 * * * *' };
const dayMs = 24 * 60 * minuteMs;

describe('runs that have begun and whose time is over', () => {
  const world = sharedByTests(openScheduleWorld);
  let me: Scheduler;

  beforeEach(async () => {
    me = await newScheduler(world());
  });

  /** Begins the first run, which meets a transient error, and ends the error. */
  const interrupt = async (next: string | null) => {
    world().others.answers.failing.set(renderTemplate.id, new CodedError('service_unavailable'));
    jumpTo(world(), next);
    await world().replica.work();
    world().others.answers.failing.clear();
  };

  it.each([false, true])('give way to the one that has come since, with catch_up %s', async (catch_up) => {
    const made = await me.schedule({ ...hourly, catch_up });
    await interrupt(made.next_run_at);
    jumpTo(world(), made.next_runs[3]);
    // A replica that sends before it begins what is due.
    await world().replica.sendDue();
    expect(await world().postsIn(me.channel)).toEqual([]);
    await world().replica.work();
    expect((await me.read(made.id)).runs.map((it) => [it.due_at, it.status, it.error])).toEqual([
      [made.next_runs[3], 'sent', null],
      [made.next_runs[1], 'skipped', null],
      [made.next_runs[0], 'failed', 'service_unavailable'],
    ]);
    expect(await world().postsIn(me.channel)).toHaveLength(1);
  });

  it('are not posted hours later, where no process was there to send them', async () => {
    const made = await me.schedule(inAnHour(world()));
    jumpTo(world(), made.next_run_at);
    await world().replica.begin();
    world().clock.jump(5 * 60 * minuteMs);
    await world().replica.work();
    expect(await me.read(made.id)).toMatchObject({
      status: 'completed',
      last_run: { status: 'failed', error_details: expect.stringContaining('in its time') },
    });
    expect(await world().postsIn(me.channel)).toEqual([]);
  });

  it('release their credit and say why they were late', async () => {
    const made = await me.schedule(hourly);
    await limitRate(world(), me.channel, 30);
    jumpTo(world(), made.next_run_at);
    await world().replica.work();
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'accepted' }]);
    world().clock.jump(6 * minuteMs);
    await world().replica.work();
    expect(await me.read(made.id)).toMatchObject({ last_run: { status: 'failed', error: 'rate_limited' } });
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'failed', charged: false }]);
    const settled = (await settlementsOf(world(), me.principal)).flatMap((it) => it.items);
    expect(settled).toMatchObject([{ charged: false }]);
  });

  it('end in their time however long the platform asks to wait', async () => {
    const made = await me.schedule(hourly);
    await limitRate(world(), me.channel, 3_600);
    jumpTo(world(), made.next_run_at);
    await world().replica.work();
    world().clock.jump(6 * minuteMs);
    await world().replica.work();
    expect(await me.read(made.id)).toMatchObject({ last_run: { status: 'failed', error: 'rate_limited' } });
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'failed', charged: false }]);
  });

  it('are not sent late where they were asked for by hand', async () => {
    const made = await me.schedule({ ...inAnHour(world()), catch_up: true });
    world().others.answers.failing.set(renderTemplate.id, new CodedError('service_unavailable'));
    await me.runNow(made.id);
    await world().replica.sendDue();
    world().others.answers.failing.clear();
    world().clock.jump(10 * minuteMs);
    await world().replica.sendDue();
    expect(await me.read(made.id)).toMatchObject({ last_run: { status: 'failed' } });
    expect(await world().postsIn(me.channel)).toEqual([]);
  });

  it('are sent late with catch_up where none follows', async () => {
    const made = await me.schedule({ ...inAnHour(world()), catch_up: true });
    await interrupt(made.next_run_at);
    world().clock.jump(2 * dayMs);
    await world().replica.work();
    expect(await me.read(made.id)).toMatchObject({ status: 'completed', last_run: { status: 'sent' } });
    expect(await world().postsIn(me.channel)).toHaveLength(1);
  });
});
