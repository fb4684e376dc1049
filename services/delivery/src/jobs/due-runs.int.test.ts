import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  CodedError,
  type ErrorCode,
  type Principal,
  renderTemplate,
  reserveCredits,
} from '@stanza/contracts';
import { v7 as uuidv7 } from 'uuid';
import { cancelScheduledMessage } from '../operations/cancel-scheduled-message.ts';
import { createScheduledMessage } from '../operations/create-scheduled-message.ts';
import { getScheduledMessage } from '../operations/get-scheduled-message.ts';
import { orderBatch } from '../origins/batch.ts';
import { orderScheduled } from '../origins/schedule.ts';
import type { Parts } from '../parts.ts';
import {
  anotherProcess,
  ask,
  connected,
  type Misbehaviour,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  settlementsOf,
  type World,
} from '../testing/world.ts';
import { DeferredSender } from './deferred-sends.ts';
import { beginDueRuns } from './due-runs.ts';
import { lookUpUnknownMessages } from './unknown-messages.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

describe('the runs of a scheduled message', () => {
  let world: World;
  let principal: Principal;
  let channel: string;
  let begin: () => Promise<void>;

  beforeAll(async () => {
    world = await openWorld();
    begin = beginDueRuns(world);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    principal = await connected(world);
    channel = newChannel();
  });
  afterEach(async () => {
    world.others.answers.failing.clear();
    world.others.answers.organization = { status: 'active' };
    await world.rows('delete from scheduled_messages returning id');
  });

  const schedule = (body: object) =>
    ask(
      createScheduledMessage(world),
      { body: { template_id: uuidv7(), channel_id: channel, data: {}, catch_up: false, ...body } },
      principal,
    );
  const inAnHour = () => ({ send_at: new Date(world.clock.now().getTime() + hourMs).toISOString() });
  const hourly = { cron: '0 * * * *' };
  const read = (id: string) => ask(getScheduledMessage(world), { params: { id } }, principal);
  const cancel = (id: string) => ask(cancelScheduledMessage(world), { params: { id } }, principal);

  /** Lets the clock jump to a time, and a little beyond. */
  const jumpTo = (time: string | null, beyondMs = 0): void => {
    world.clock.jump(Date.parse(time ?? '') - world.clock.now().getTime() + beyondMs);
  };
  const sendDue = async (parts: Parts = world): Promise<void> => {
    const origins = { batch: orderBatch(parts), schedule: orderScheduled(parts) };
    const sender = new DeferredSender(parts, origins);
    await sender.begin();
    await sender.settled();
  };
  /** What a replica does all the time. */
  const work = async (): Promise<void> => {
    await begin();
    await sendDue();
  };

  it('do not begin before their time', async () => {
    const { id } = await schedule(inAnHour());
    world.clock.jump(hourMs - minuteMs);
    await work();
    expect(await read(id)).toMatchObject({ status: 'active', runs: [] });
    expect(await world.postsIn(channel)).toEqual([]);
  });

  it('are sent once by however many replicas, and tell what became of them', async () => {
    const made = await schedule({ ...inAnHour(), data: { service: 'api' }, locale: 'de-DE', strict: true });
    jumpTo(made.next_run_at);
    await Promise.all([begin(), begin(), begin()]);
    await Promise.all([sendDue(), sendDue()]);
    await work();
    expect(await world.postsIn(channel)).toHaveLength(1);
    const [message] = await rowsOf(world, principal);
    expect(message).toMatchObject({ status: 'sent', origin: 'schedule', origin_id: made.id, charged: true });
    const ended = await read(made.id);
    expect(ended).toMatchObject({ status: 'completed', next_run_at: null, next_runs: [] });
    expect(ended.runs).toMatchObject([
      { due_at: made.send_at, status: 'sent', message_id: message?.id, error: null },
    ]);
    expect(ended.last_run).toEqual(ended.runs[0]);
    const rendered = world.others.calls.findLast((call) => call.operation === renderTemplate.id);
    expect(rendered?.input).toMatchObject({
      template_id: made.template_id,
      data: { service: 'api' },
      locale: 'de-DE',
      strict: true,
    });
    const reserved = world.others.calls.findLast((call) => call.operation === reserveCredits.id);
    expect(reserved?.input).toMatchObject({ operation: 'schedule', actor_id: `schedule:${made.id}` });
  });

  it('of a cron each have a message of their own', async () => {
    const made = await schedule(hourly);
    for (const due of made.next_runs.slice(0, 2)) {
      jumpTo(due);
      await work();
    }
    const after = await read(made.id);
    expect(after).toMatchObject({ status: 'active', next_run_at: made.next_runs[2] });
    expect(after.runs.map((it) => [it.due_at, it.status])).toEqual([
      [made.next_runs[1], 'sent'],
      [made.next_runs[0], 'sent'],
    ]);
    expect(new Set(after.runs.map((it) => it.message_id)).size).toBe(2);
    expect(await world.postsIn(channel)).toHaveLength(2);
  });

  it('happen once even when their time comes a second time', async () => {
    const made = await schedule(inAnHour());
    jumpTo(made.next_run_at);
    await work();
    await world.rows(
      "update scheduled_messages set status = 'active', next_run_at = send_at, ended_at = null where id = $1 returning id",
      [made.id],
    );
    await work();
    expect(await world.postsIn(channel)).toHaveLength(1);
    expect((await read(made.id)).runs).toHaveLength(1);
  });

  it('that were missed are skipped, and the next one is sent', async () => {
    const made = await schedule(hourly);
    jumpTo(made.next_runs[2] ?? null, 10 * minuteMs);
    await work();
    expect(await world.postsIn(channel)).toEqual([]);
    expect((await read(made.id)).runs).toMatchObject([
      { due_at: made.next_runs[0], status: 'skipped', message_id: null },
    ]);
    jumpTo(made.next_runs[3] ?? null);
    await work();
    expect((await read(made.id)).runs.map((it) => it.status)).toEqual(['sent', 'skipped']);
  });

  it('that were missed are sent once, all together, when they are to be caught up on', async () => {
    const made = await schedule({ ...hourly, catch_up: true });
    jumpTo(made.next_runs[2] ?? null, 10 * minuteMs);
    await work();
    expect(await world.postsIn(channel)).toHaveLength(1);
    expect((await read(made.id)).runs.map((it) => [it.due_at, it.status])).toEqual([
      [made.next_runs[2], 'sent'],
      [made.next_runs[0], 'skipped'],
    ]);
  });

  it.each([
    ['template_not_found', renderTemplate.id],
    ['invalid_state', renderTemplate.id],
    ['insufficient_credits', reserveCredits.id],
  ] as const)('that fail with %s say so, and the next one is tried', async (code, operation) => {
    const made = await schedule(hourly);
    world.others.answers.failing.set(operation, new CodedError(code));
    jumpTo(made.next_run_at);
    await work();
    expect(await read(made.id)).toMatchObject({
      status: 'active',
      next_run_at: made.next_runs[1],
      last_run: { status: 'failed', error: code, error_details: expect.any(String) },
    });
    world.others.answers.failing.clear();
    jumpTo(made.next_runs[1] ?? null);
    await work();
    expect(await read(made.id)).toMatchObject({ last_run: { status: 'sent' } });
    expect(await world.postsIn(channel)).toHaveLength(1);
  });

  it('do not happen while the organization is suspended, and go on afterwards', async () => {
    const made = await schedule(hourly);
    world.others.answers.organization = { status: 'suspended' };
    const reserved = world.others.count(reserveCredits);
    jumpTo(made.next_run_at);
    await work();
    expect(world.others.count(reserveCredits)).toBe(reserved);
    expect(await read(made.id)).toMatchObject({ last_run: { status: 'failed', error: 'access_denied' } });
    world.others.answers.organization = { status: 'active' };
    jumpTo(made.next_runs[1] ?? null);
    await work();
    expect(await read(made.id)).toMatchObject({ last_run: { status: 'sent' } });
  });

  it('end with a reason when their zone is known no more, and hold up nobody else', async () => {
    const lost = await schedule({ ...hourly, timezone: 'Europe/Berlin' });
    const other = await schedule(hourly);
    await world.rows(
      "update scheduled_messages set timezone = 'Europe/Atlantis' where id = $1 returning id",
      [lost.id],
    );
    jumpTo(other.next_run_at);
    await work();
    expect(await read(lost.id)).toMatchObject({
      status: 'completed',
      last_run: {
        status: 'failed',
        error: 'invalid_state',
        error_details: expect.stringContaining('Atlantis'),
      },
    });
    expect(await read(other.id)).toMatchObject({ last_run: { status: 'sent' } });
  });

  it('that meet passing trouble give way to the next one', async () => {
    const made = await schedule(hourly);
    world.others.answers.failing.set(renderTemplate.id, new CodedError('service_unavailable'));
    jumpTo(made.next_run_at);
    await work();
    expect(await read(made.id)).toMatchObject({ last_run: { status: 'pending', ended_at: null } });
    world.clock.jump(6 * minuteMs);
    await work();
    expect(await read(made.id)).toMatchObject({
      last_run: { status: 'failed', error: 'service_unavailable' },
    });
  });

  it('go on as the same message where a process died that had accepted it', async () => {
    const made = await schedule({ ...inAnHour(), catch_up: true });
    jumpTo(made.next_run_at);
    await begin();
    const dying = anotherProcess(world);
    dying.clock.jump(world.clock.now().getTime() - dying.clock.now().getTime());
    // It dies between the acceptance and the post: the platform is never reached.
    jest.spyOn(dying.recipients, 'channelOf').mockRejectedValue(new CodedError('service_unavailable'));
    await sendDue(dying);
    const [accepted] = await rowsOf(world, principal);
    expect(accepted).toMatchObject({ status: 'accepted' });
    world.clock.jump(minuteMs);
    await sendDue();
    expect(await rowsOf(world, principal)).toMatchObject([{ id: accepted?.id, status: 'sent' }]);
    expect(await world.postsIn(channel)).toHaveLength(1);
    await dying.chat.close();
  });

  it('are unknown when the answer was lost, are not posted again, and are sent once they are found', async () => {
    const made = await schedule(inAnHour());
    await world.misbehave({ method: 'chat.postMessage', channel, mode: 'reset_after', times: 1 });
    await world.misbehave({
      method: 'conversations.history',
      channel,
      mode: 'error',
      value: 'missing_scope',
      times: 1,
    });
    jumpTo(made.next_run_at);
    await work();
    await work();
    expect(await world.postsIn(channel)).toHaveLength(1);
    expect(await read(made.id)).toMatchObject({
      last_run: { status: 'unknown', error: 'delivery_outcome_unknown' },
    });
    world.clock.jump(minuteMs);
    await lookUpUnknownMessages(world);
    expect(await read(made.id)).toMatchObject({ last_run: { status: 'sent', error: null } });
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
    const made = await schedule(inAnHour());
    await world.misbehave({ method: 'chat.postMessage', channel, times: 1, ...fault });
    // On the platform's own time, by which a message is looked for after its answer was lost.
    const present = anotherProcess(world);
    await world.rows(
      'update scheduled_messages set next_run_at = now(), send_at = now() where id = $1 returning id',
      [made.id],
    );
    await beginDueRuns(present)();
    await sendDue(present);
    await work();
    expect(await read(made.id)).toMatchObject({ status: 'completed', last_run: { status, error } });
    await present.chat.close();
    expect(await world.postsIn(channel)).toHaveLength(posts);
    const settled = (await settlementsOf(world, principal)).flatMap((it) => it.items);
    expect(settled).toMatchObject([{ charged: status === 'sent' }]);
  });

  describe('when it is cancelled', () => {
    it('do not begin any more', async () => {
      const made = await schedule(inAnHour());
      await cancel(made.id);
      jumpTo(made.next_run_at);
      await work();
      expect(await world.postsIn(channel)).toEqual([]);
      expect(await read(made.id)).toMatchObject({ status: 'cancelled', runs: [] });
    });

    it('are stopped if they were not posted yet, and cost nothing', async () => {
      const made = await schedule(inAnHour());
      await world.misbehave({
        method: 'chat.postMessage',
        channel,
        mode: 'rate_limited',
        value: 30,
        times: 1,
      });
      jumpTo(made.next_run_at);
      await work();
      expect(await rowsOf(world, principal)).toMatchObject([{ status: 'accepted' }]);
      expect(await cancel(made.id)).toMatchObject({ status: 'cancelled', last_run: { status: 'pending' } });
      world.clock.jump(minuteMs);
      await work();
      expect(await read(made.id)).toMatchObject({
        status: 'cancelled',
        last_run: {
          status: 'failed',
          error: 'invalid_state',
          error_details: expect.stringContaining('cancelled'),
        },
      });
      expect(await world.postsIn(channel)).toEqual([]);
      const settled = (await settlementsOf(world, principal)).flatMap((it) => it.items);
      expect(settled).toMatchObject([{ charged: false }]);
    });

    it('are stopped even while a process is about to post them', async () => {
      const made = await schedule(inAnHour());
      jumpTo(made.next_run_at);
      await begin();
      const { channelOf } = world.recipients;
      const lookup = jest.spyOn(world.recipients, 'channelOf').mockImplementationOnce(async (...args) => {
        await cancel(made.id);
        return channelOf.apply(world.recipients, args);
      });
      await sendDue();
      expect(lookup).toHaveBeenCalledTimes(1);
      lookup.mockRestore();
      world.clock.jump(minuteMs);
      await sendDue();
      expect(await read(made.id)).toMatchObject({ last_run: { status: 'failed', error: 'invalid_state' } });
      expect(await world.postsIn(channel)).toEqual([]);
    });

    it('are over when they were posted, and there is nothing to cancel', async () => {
      const made = await schedule(inAnHour());
      jumpTo(made.next_run_at);
      await work();
      expect(await refusalOf(cancel(made.id))).toMatchObject({ code: 'invalid_state' });
      expect(await read(made.id)).toMatchObject({ status: 'completed' });
    });

    it('are posted or stopped, never both, whenever that happens', async () => {
      for (let round = 0; round < 8; round += 1) {
        channel = newChannel();
        const made = await schedule(hourly);
        jumpTo(made.next_run_at);
        if (round % 2 === 0) await begin();
        await Promise.all([work(), cancel(made.id)]);
        world.clock.jump(minuteMs);
        await work();
        const { status, last_run } = await read(made.id);
        expect(status).toBe('cancelled');
        expect(await world.postsIn(channel)).toHaveLength(last_run?.status === 'sent' ? 1 : 0);
        expect([undefined, 'sent', 'failed']).toContain(last_run?.status);
      }
    });
  });
});
