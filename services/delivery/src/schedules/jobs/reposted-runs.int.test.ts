import { beforeEach, describe, expect, it } from '@jest/globals';
import { CodedError, renderTemplate } from '@stanza/contracts';
import { Tenant } from '@stanza/runtime';
import { dueNow } from '@stanza/runtime/testing/due-now';
import { sharedByTests } from '@stanza/test-kit/shared';
import { lookUpUnknown } from '../../testing/lookups.ts';
import {
  inAnHour,
  jumpTo,
  newScheduler,
  openScheduleWorld,
  type Scheduler,
} from '../../testing/schedules.ts';
import { loseOutcome, untilOneWaits } from '../../testing/world.ts';
import { changeScheduledMessage } from '../store/schedule-changes.ts';
import { lockScheduledMessage } from '../store/scheduled-messages.ts';

const hourly = { cron: '0 * * * *' };

describe('runs of unknown outcome whose schedule asks for a repost', () => {
  const world = sharedByTests(openScheduleWorld);
  let me: Scheduler;

  beforeEach(async () => {
    me = await newScheduler(world());
  });

  /** A run whose post was lost, as it is known: the platform has it or not. */
  const unknownRun = async (timing: object, mode: 'reset_before' | 'reset_after') => {
    const made = await me.schedule({ ...timing, on_unknown: 'repost' });
    await loseOutcome(world(), me.channel, mode, 1);
    jumpTo(world(), made.next_run_at, 5_000);
    await world().replica.work();
    await world().replica.work();
    expect((await me.read(made.id)).last_run).toMatchObject({ status: 'unknown', reposts: 0 });
    return made;
  };
  /** Looks for its message this many minutes after the post, by the platform's own time. */
  const lookAfter = async (id: string, minutes: number) => {
    await world().rows(
      `update messages
       set posting_at = now() - $2 * interval '1 minute', lookup_due_at = ${dueNow}
       where origin_id = $1 and status = 'unknown'`,
      [id, minutes],
    );
    await lookUpUnknown(world());
  };

  it('are not posted again where the platform dates the post much later than it began', async () => {
    const made = await unknownRun(inAnHour(world()), 'reset_after');
    await lookAfter(made.id, 11);
    await world().replica.work();
    expect((await me.read(made.id)).last_run).toMatchObject({ status: 'sent', reposts: 0 });
    expect(await world().postsIn(me.channel)).toHaveLength(1);
  });

  it.each([
    ['once', () => inAnHour(world())],
    ['repeatedly', () => hourly],
  ])('are not posted again after the cancellation of a message that is sent %s', async (_often, timing) => {
    const made = await unknownRun(timing(), 'reset_before');
    expect(await me.cancel(made.id)).toMatchObject({ success: true });
    await lookAfter(made.id, 11);
    await world().replica.work();
    expect(await me.read(made.id)).toMatchObject({
      status: 'cancelled',
      last_run: { status: 'unknown', reposts: 0 },
    });
    expect(await world().postsIn(me.channel)).toEqual([]);
  });

  it('are not posted again by a lookup during the cancellation', async () => {
    const made = await unknownRun(inAnHour(world()), 'reset_before');
    const tenant = Tenant.of(me.principal);
    let looking: Promise<void> | undefined;
    await world().database.transaction(async (tx) => {
      await lockScheduledMessage(tenant, tx, made.id);
      looking = lookAfter(made.id, 11);
      await untilOneWaits(world());
      await changeScheduledMessage(tenant, tx, made.id, { status: 'cancelled', next_run_at: null });
    });
    await looking;
    expect((await me.read(made.id)).last_run).toMatchObject({ status: 'unknown', reposts: 0 });
  });

  it('stay unknown when they are posted again and that fails', async () => {
    const made = await unknownRun(inAnHour(world()), 'reset_before');
    await lookAfter(made.id, 11);
    expect((await me.read(made.id)).last_run).toMatchObject({ status: 'pending', reposts: 1 });
    world().others.answers.failing.set(renderTemplate.id, new CodedError('template_not_found'));
    await world().replica.work();
    expect((await me.read(made.id)).last_run).toMatchObject({
      status: 'unknown',
      error: 'template_not_found',
      error_details: expect.stringContaining('unknown outcome'),
    });
  });
});
