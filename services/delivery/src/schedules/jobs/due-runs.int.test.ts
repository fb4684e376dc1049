import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CodedError, renderTemplate, reserveTogether } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { lookUpUnknown } from '../../testing/lookups.ts';
import {
  inAnHour,
  jumpTo,
  newScheduler,
  openScheduleWorld,
  type Scheduler,
  workerOf,
} from '../../testing/schedules.ts';
import { anotherProcess, loseOutcome, newSender, rowsOf, send, settlementsOf } from '../../testing/world.ts';
import { dueSchedulers, lockDue } from '../store/scheduled-messages.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const hourly = { cron: '0 * * * *' };

describe('the runs of a scheduled message', () => {
  const world = sharedByTests(openScheduleWorld);
  let me: Scheduler;

  beforeEach(async () => {
    me = await newScheduler(world());
  });

  /** Of a request: the clock of this process has jumped ahead of that of its caller. */
  const inTime = () => newContext({ deadlineMs: 15_000 + world().clock.ahead, principal: me.principal });

  it('do not begin before their time', async () => {
    const { id } = await me.schedule(inAnHour(world()));
    world().clock.jump(hourMs - minuteMs);
    await world().replica.work();
    expect(await me.read(id)).toMatchObject({ status: 'active', runs: [] });
    expect(await world().postsIn(me.channel)).toEqual([]);
  });

  it('are in the language of their recipient, whichever it is then', async () => {
    const recipient = { channel_id: undefined, recipient_chat_id: 'U0LINUS', locale: 'recipient' };
    const made = await me.schedule({ ...inAnHour(world()), ...recipient });
    expect(made.locale).toBe('recipient');
    jumpTo(world(), made.next_run_at);
    await world().replica.work();
    expect(await me.read(made.id)).toMatchObject({ runs: [{ status: 'sent' }] });
    const rendered = world().others.calls.findLast((call) => call.operation === renderTemplate.id);
    expect(rendered?.input).toMatchObject({ template_id: made.template_id, locale: 'de-DE' });
  });

  it('are sent once by however many replicas, and tell what became of them', async () => {
    const made = await me.schedule({
      ...inAnHour(world()),
      data: { service: 'api' },
      locale: 'de-DE',
      strict: true,
    });
    jumpTo(world(), made.next_run_at);
    await Promise.all([world().replica.begin(), world().replica.begin(), world().replica.begin()]);
    await Promise.all([world().replica.sendDue(), world().replica.sendDue()]);
    await world().replica.work();
    expect(await world().postsIn(me.channel)).toHaveLength(1);
    const [message] = await rowsOf(world(), me.principal);
    expect(message).toMatchObject({ status: 'sent', origin: 'schedule', origin_id: made.id, charged: true });
    const ended = await me.read(made.id);
    expect(ended).toMatchObject({ status: 'completed', next_run_at: null, next_runs: [] });
    expect(ended.runs).toMatchObject([
      { due_at: made.send_at, status: 'sent', message_id: message?.id, error: null },
    ]);
    expect(ended.last_run).toEqual(ended.runs[0]);
    const rendered = world().others.calls.findLast((call) => call.operation === renderTemplate.id);
    expect(rendered?.input).toMatchObject({
      template_id: made.template_id,
      data: { service: 'api' },
      locale: 'de-DE',
      strict: true,
    });
    const reserved = world().others.calls.findLast((call) => call.operation === reserveTogether.id);
    expect(reserved?.input).toMatchObject({
      wishes: [{ operation: 'schedule', actor_id: `schedule:${made.id}` }],
    });
  });

  it('know when they are due, unless the scheduled data says something else by that name', async () => {
    const own = { schedule: 'weekly' };
    for (const data of [{ team: 'api' }, own]) {
      const made = await me.schedule({ ...inAnHour(world()), data });
      jumpTo(world(), made.next_run_at, minuteMs);
      await world().replica.work();
      const rendered = world().others.calls.findLast((call) => call.operation === renderTemplate.id);
      expect(rendered?.input).toMatchObject({ data: { schedule: { due_at: made.send_at }, ...data } });
      expect(await me.read(made.id)).toMatchObject({ data });
    }
  });

  it('with a key are one message that each run updates, with the options of the schedule', async () => {
    const { rendered } = world().others.answers;
    const made = await me.schedule({ ...hourly, message_key: 'status', unfurl_links: false });
    expect(made).toMatchObject({ message_key: 'status', unfurl_links: false });
    for (const text of ['first', 'second']) {
      world().others.answers.rendered = { ...rendered, text };
      jumpTo(world(), (await me.read(made.id)).next_run_at);
      await Promise.all([world().replica.work(), world().replica.work()]);
    }
    world().others.answers.rendered = rendered;
    expect(await world().postsIn(me.channel)).toMatchObject([
      { text: 'second', edits: 1, unfurl_links: false },
    ]);
    const [message] = await rowsOf(world(), me.principal);
    const { runs } = await me.read(made.id);
    expect(runs).toMatchObject([
      { status: 'sent', message_id: message?.id },
      { status: 'sent', message_id: message?.id },
    ]);
  });

  it('with a key post another message where somebody has deleted the one before', async () => {
    const made = await me.schedule({ ...hourly, message_key: 'status' });
    jumpTo(world(), made.next_run_at);
    await world().replica.work();
    await world().misbehave({ method: 'chat.update', mode: 'error', value: 'message_not_found', times: 1 });
    world().others.answers.rendered = { ...world().others.answers.rendered, text: 'later' };
    jumpTo(world(), (await me.read(made.id)).next_run_at);
    await world().replica.work();
    world().clock.jump(minuteMs);
    await world().replica.work();
    const { runs } = await me.read(made.id);
    expect(runs).toMatchObject([{ status: 'sent' }, { status: 'sent' }]);
    expect(runs[0]?.message_id).not.toBe(runs[1]?.message_id);
    expect(await world().postsIn(me.channel)).toHaveLength(2);
  });

  it('with a key step back behind the message of another, which has no outcome yet', async () => {
    const made = await me.schedule({ ...inAnHour(world()), message_key: 'status', on_existing: 'skip' });
    await loseOutcome(world(), me.channel, 'reset_before');
    const body = { channel_id: me.channel, message_key: 'status' };
    await expect(send(world(), me.principal, body, inTime())).rejects.toMatchObject({
      code: 'delivery_outcome_unknown',
    });
    jumpTo(world(), made.next_run_at);
    await world().replica.work();
    expect((await me.read(made.id)).runs).toMatchObject([{ status: 'pending', message_id: null }]);
    expect(await rowsOf(world(), me.principal)).toHaveLength(1);
  });

  it('Runs that skip leave the message of their key alone, also those that a process has left behind', async () => {
    await send(world(), me.principal, { channel_id: me.channel, message_key: 'status' }, inTime());
    const made = await me.schedule({ ...inAnHour(world()), message_key: 'status', on_existing: 'skip' });
    world().others.answers.rendered = { ...world().others.answers.rendered, text: 'another' };
    jumpTo(world(), made.next_run_at);
    const end = () => Promise.reject(new Error('it dies here'));
    await workerOf({ ...world(), writes: { ...world().writes, end } }).work();
    expect((await me.read(made.id)).runs).toMatchObject([{ status: 'pending' }]);
    world().clock.jump(minuteMs);
    await world().replica.work();
    expect((await me.read(made.id)).runs).toMatchObject([{ status: 'sent' }]);
    expect((await world().postsIn(me.channel)).map(({ text }) => text)).not.toContain('another');
    const settled = (await settlementsOf(world(), me.principal)).flatMap(({ items }) => items);
    expect(settled.map(({ charged }) => charged)).toEqual([true, false]);
  });

  it('of organizations begin in turns, however many of one are due', async () => {
    const busy = [];
    for (const _ of [1, 2, 3]) busy.push(await me.schedule(inAnHour(world())));
    const other = await newSender(world());
    const owned = 'update scheduled_messages set organization_id = $2 where id = $1 returning id';
    const late = await me.schedule({
      send_at: new Date(world().clock.now().getTime() + 2 * hourMs).toISOString(),
    });
    await world().rows(owned, [late.id, other.principal.organization_id]);
    jumpTo(world(), late.next_run_at);
    const locked = await world().database.transaction(async (tx) =>
      lockDue(tx, await dueSchedulers().find(tx), 2),
    );
    expect(locked.map((it) => it.id).toSorted()).toEqual([busy[0]?.id, late.id].toSorted());
  });

  it('of a cron each have a message of their own', async () => {
    const made = await me.schedule(hourly);
    for (const due of made.next_runs.slice(0, 2)) {
      jumpTo(world(), due);
      await world().replica.work();
    }
    const after = await me.read(made.id);
    expect(after).toMatchObject({ status: 'active', next_run_at: made.next_runs[2] });
    expect(after.runs.map((it) => [it.due_at, it.status])).toEqual([
      [made.next_runs[1], 'sent'],
      [made.next_runs[0], 'sent'],
    ]);
    expect(new Set(after.runs.map((it) => it.message_id)).size).toBe(2);
    expect(await world().postsIn(me.channel)).toHaveLength(2);
  });

  it('happen once even when their time comes a second time', async () => {
    const made = await me.schedule(inAnHour(world()));
    jumpTo(world(), made.next_run_at);
    await world().replica.work();
    await world().rows(
      "update scheduled_messages set status = 'active', next_run_at = send_at, ended_at = null where id = $1 returning id",
      [made.id],
    );
    await world().replica.work();
    expect(await world().postsIn(me.channel)).toHaveLength(1);
    expect((await me.read(made.id)).runs).toHaveLength(1);
  });

  it('that were missed are skipped, and the next one is sent', async () => {
    const made = await me.schedule(hourly);
    jumpTo(world(), made.next_runs[2], 10 * minuteMs);
    await world().replica.work();
    expect(await world().postsIn(me.channel)).toEqual([]);
    expect((await me.read(made.id)).runs).toMatchObject([
      { due_at: made.next_runs[0], status: 'skipped', message_id: null },
    ]);
    jumpTo(world(), made.next_runs[3]);
    await world().replica.work();
    expect((await me.read(made.id)).runs.map((it) => it.status)).toEqual(['sent', 'skipped']);
  });

  it('that were missed are sent once, all together, when they are to be caught up on', async () => {
    const made = await me.schedule({ ...hourly, catch_up: true });
    jumpTo(world(), made.next_runs[2], 10 * minuteMs);
    await world().replica.work();
    expect(await world().postsIn(me.channel)).toHaveLength(1);
    expect((await me.read(made.id)).runs.map((it) => [it.due_at, it.status])).toEqual([
      [made.next_runs[2], 'sent'],
      [made.next_runs[0], 'skipped'],
    ]);
  });

  it.each([
    ['template_not_found', renderTemplate.id],
    ['invalid_state', renderTemplate.id],
    ['insufficient_credits', reserveTogether.id],
  ] as const)('that fail with %s say so, and the next one is tried', async (code, operation) => {
    const made = await me.schedule(hourly);
    world().others.answers.failing.set(operation, new CodedError(code));
    jumpTo(world(), made.next_run_at);
    await world().replica.work();
    expect(await me.read(made.id)).toMatchObject({
      status: 'active',
      next_run_at: made.next_runs[1],
      last_run: { status: 'failed', error: code, error_details: expect.any(String) },
    });
    world().others.answers.failing.clear();
    jumpTo(world(), made.next_runs[1]);
    await world().replica.work();
    expect(await me.read(made.id)).toMatchObject({ last_run: { status: 'sent' } });
    expect(await world().postsIn(me.channel)).toHaveLength(1);
  });

  it('do not happen while the organization is suspended, and go on afterwards', async () => {
    const made = await me.schedule(hourly);
    world().others.answers.organization = { status: 'suspended' };
    const reserved = world().others.count(reserveTogether);
    jumpTo(world(), made.next_run_at);
    await world().replica.work();
    expect(world().others.count(reserveTogether)).toBe(reserved);
    expect(await me.read(made.id)).toMatchObject({ last_run: { status: 'failed', error: 'access_denied' } });
    world().others.answers.organization = { status: 'active' };
    jumpTo(world(), made.next_runs[1]);
    await world().replica.work();
    expect(await me.read(made.id)).toMatchObject({ last_run: { status: 'sent' } });
  });

  it('end with a reason when their time zone no longer exists, and delay no others', async () => {
    const lost = await me.schedule({ ...hourly, timezone: 'Europe/Berlin' });
    const other = await me.schedule(hourly);
    await world().rows(
      "update scheduled_messages set timezone = 'Europe/Atlantis' where id = $1 returning id",
      [lost.id],
    );
    jumpTo(world(), other.next_run_at);
    await world().replica.work();
    expect(await me.read(lost.id)).toMatchObject({
      status: 'completed',
      last_run: {
        status: 'failed',
        error: 'invalid_state',
        error_details: expect.stringContaining('Atlantis'),
      },
    });
    expect(await me.read(other.id)).toMatchObject({ last_run: { status: 'sent' } });
  });

  it('that meet transient errors give way to the next one', async () => {
    const made = await me.schedule(hourly);
    world().others.answers.failing.set(renderTemplate.id, new CodedError('service_unavailable'));
    jumpTo(world(), made.next_run_at);
    await world().replica.work();
    expect(await me.read(made.id)).toMatchObject({ last_run: { status: 'pending', ended_at: null } });
    world().clock.jump(6 * minuteMs);
    await world().replica.work();
    expect(await me.read(made.id)).toMatchObject({
      last_run: { status: 'failed', error: 'service_unavailable' },
    });
  });

  it('go on as the same message where a process died that had accepted it', async () => {
    const made = await me.schedule({ ...inAnHour(world()), catch_up: true });
    jumpTo(world(), made.next_run_at);
    await world().replica.begin();
    const dying = anotherProcess(world());
    dying.clock.jump(world().clock.now().getTime() - dying.clock.now().getTime());
    // It dies between the acceptance and the post: the platform is never reached.
    jest.spyOn(dying.recipients, 'channelOf').mockRejectedValue(new CodedError('service_unavailable'));
    await workerOf(dying).sendDue();
    const [accepted] = await rowsOf(world(), me.principal);
    expect(accepted).toMatchObject({ status: 'accepted' });
    world().clock.jump(minuteMs);
    await world().replica.sendDue();
    expect(await rowsOf(world(), me.principal)).toMatchObject([{ id: accepted?.id, status: 'sent' }]);
    expect(await world().postsIn(me.channel)).toHaveLength(1);
    await dying.chat.close();
  });

  it('are posted again by a schedule that asks for it, once their channel has not shown them for ten minutes', async () => {
    const made = await me.schedule({ ...inAnHour(world()), on_unknown: 'repost' });
    const held = await me.schedule(inAnHour(world()));
    for (let posts = 0; posts < 2; posts++) {
      await world().misbehave({
        method: 'chat.postMessage',
        channel: me.channel,
        mode: 'reset_before',
        times: 1,
      });
    }
    jumpTo(world(), made.next_run_at, 5_000);
    await world().replica.work();
    await world().replica.work();
    const unknown = async () =>
      world().rows<{ id: string; origin_id: string }>(
        "select id, origin_id from messages where origin_id = any ($1) and status = 'unknown'",
        [[made.id, held.id]],
      );
    const lookAt = async (minutes: number) => {
      const postedAt = new Date(world().clock.now().getTime() - minutes * minuteMs);
      await world().rows(
        `update messages
         set posting_at = $2, lookup_due_at = $2
         where origin_id = any ($1) and status = 'unknown'`,
        [[made.id, held.id], postedAt],
      );
      await lookUpUnknown(world());
    };
    expect(await unknown()).toHaveLength(2);
    await lookAt(9);
    expect((await me.read(made.id)).last_run).toMatchObject({ status: 'unknown', reposts: 0 });
    await lookAt(11);
    await lookAt(11);
    expect((await me.read(made.id)).last_run).toMatchObject({ status: 'pending', reposts: 1 });
    expect((await me.read(held.id)).last_run).toMatchObject({ status: 'unknown', reposts: 0 });
    await world().replica.work();
    expect((await me.read(made.id)).last_run).toMatchObject({ status: 'sent', reposts: 1 });
    expect(await world().postsIn(me.channel)).toHaveLength(1);
    expect(await unknown()).toHaveLength(2);
  });

  it('are unknown when the answer was lost, are not posted again, and are sent once they are found', async () => {
    const made = await me.schedule(inAnHour(world()));
    await loseOutcome(world(), me.channel, 'reset_after', 1);
    jumpTo(world(), made.next_run_at);
    await world().replica.work();
    await world().replica.work();
    expect(await world().postsIn(me.channel)).toHaveLength(1);
    expect(await me.read(made.id)).toMatchObject({
      last_run: { status: 'unknown', error: 'delivery_outcome_unknown' },
    });
    world().clock.jump(minuteMs);
    // The platform's own time, by which the message is looked for, has not jumped.
    await world().rows('update messages set posting_at = now() where origin_id = $1', [made.id]);
    await lookUpUnknown(world());
    expect(await me.read(made.id)).toMatchObject({ last_run: { status: 'sent', error: null } });
  });
});
