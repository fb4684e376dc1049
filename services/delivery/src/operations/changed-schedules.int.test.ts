import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  CodedError,
  defaultTiers,
  getScheduledMessage as getDeclaration,
  renderTemplate,
  resourceTag,
  runScheduledMessageNow as runDeclaration,
} from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { inAnHour, jumpTo, newScheduler, openScheduleWorld, type Scheduler } from '../testing/schedules.ts';
import { ask, changesOf, limitRate, newChannel, refusalOf, rowsOf } from '../testing/world.ts';
import { countStoredTargets } from './count-stored-targets.ts';
import { listTemplateSchedules } from './list-template-schedules.ts';
import { reportOperation } from './report-operation.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const hourly = { cron: '0 * * * *' };

describe('a scheduled message that changes', () => {
  const world = sharedByTests(openScheduleWorld);
  let me: Scheduler;

  beforeEach(async () => {
    me = await newScheduler(world());
  });

  const contextOf = (ifMatch?: string) => ({
    ...newContext({ deadlineMs: 15_000 + world().clock.ahead, principal: me.principal }),
    ...(ifMatch !== undefined && { ifMatch }),
  });
  const posts = () => world().postsIn(me.channel);
  const auditOf = (id: string) => changesOf(world(), id);
  const actionsOf = async (id: string) => (await auditOf(id)).map(({ action }) => action.split('.')[1]);
  const stored = () => {
    const { organization_id } = me.principal;
    return ask(countStoredTargets(world()), { organization_id });
  };

  describe('by a pause', () => {
    it('has no run until it is resumed, and does not make up for those that it missed', async () => {
      const made = await me.schedule({ ...hourly, catch_up: true });
      expect(await me.pause(made.id)).toMatchObject({ status: 'paused', next_run_at: null, next_runs: [] });
      world().clock.jump(3 * hourMs);
      await world().replica.work();
      expect(await me.read(made.id)).toMatchObject({ status: 'paused', runs: [], ended_at: null });
      const resumed = await me.resume(made.id);
      expect(resumed).toMatchObject({ status: 'active', runs: [] });
      expect(Date.parse(resumed.next_run_at ?? '')).toBeGreaterThan(world().clock.now().getTime());
      await world().replica.work();
      expect(await posts()).toEqual([]);
      jumpTo(world(), resumed.next_run_at);
      await world().replica.work();
      expect(await posts()).toHaveLength(1);
    });

    it('is paused and resumed once, however often it is asked for', async () => {
      const { id } = await me.schedule(hourly);
      const paused = await me.pause(id);
      expect(await me.pause(id)).toEqual(paused);
      const resumed = await me.resume(id);
      expect(await me.resume(id)).toEqual(resumed);
      expect(await actionsOf(id)).toEqual(['created', 'paused', 'resumed']);
    });

    it('keeps the run that was due before, of which there is one whoever takes it', async () => {
      for (const replicas of [0, 2]) {
        const made = await me.schedule(hourly);
        jumpTo(world(), made.next_run_at);
        const before = (await posts()).length;
        const taken = Array.from({ length: replicas }, () => world().replica.begin());
        await Promise.all([...taken, me.pause(made.id), me.pause(made.id)]);
        await world().replica.work();
        expect(await me.read(made.id)).toMatchObject({
          status: 'paused',
          runs: [{ due_at: made.next_run_at, status: 'sent' }],
        });
        expect(await posts()).toHaveLength(before + 1);
      }
    });

    it('is shown when its time zone is gone, and refused once it is due, which ends it', async () => {
      const made = await me.schedule({ ...hourly, timezone: 'Europe/Berlin' });
      const removed = "update scheduled_messages set timezone = 'Europe/Atlantis' where id = $1 returning id";
      await world().rows(removed, [made.id]);
      expect(await me.read(made.id)).toMatchObject({ status: 'active', next_runs: [made.next_run_at] });
      jumpTo(world(), made.next_run_at);
      expect(await refusalOf(me.pause(made.id))).toMatchObject({ code: 'invalid_state' });
      expect(await refusalOf(me.update(made.id, { strict: true }))).toMatchObject({
        code: 'validation_failed',
      });
      await world().replica.work();
      expect(await me.read(made.id)).toMatchObject({ status: 'completed', runs: [{ status: 'failed' }] });
    });

    it('is not paused once its only run is due, which is sent', async () => {
      const made = await me.schedule(inAnHour(world()));
      jumpTo(world(), made.next_run_at);
      expect(await refusalOf(me.pause(made.id))).toMatchObject({ code: 'invalid_state' });
      await world().replica.work();
      expect(await me.read(made.id)).toMatchObject({ status: 'completed', runs: [{ status: 'sent' }] });
    });

    it('A change of a schedule names DELETE while its only run is tried again, and DELETE stops the run', async () => {
      const made = await me.schedule({ ...inAnHour(world()), catch_up: true });
      world().others.answers.failing.set(renderTemplate.id, new CodedError('service_unavailable'));
      jumpTo(world(), made.next_run_at);
      await world().replica.work();
      world().others.answers.failing.clear();
      const refused = { code: 'invalid_state', message: expect.stringContaining('DELETE stops one that') };
      expect(await refusalOf(me.pause(made.id))).toMatchObject(refused);
      expect(await refusalOf(me.update(made.id, { catch_up: false }))).toMatchObject(refused);
      await me.cancel(made.id);
      world().clock.jump(60_000);
      await world().replica.work();
      expect(await me.read(made.id)).toMatchObject({ status: 'cancelled', last_run: { status: 'failed' } });
      expect(await world().postsIn(me.channel)).toEqual([]);
    });

    it('is not resumed after its only time, until it has another', async () => {
      const made = await me.schedule(inAnHour(world()));
      await me.pause(made.id);
      jumpTo(world(), made.next_run_at, 1);
      expect(await refusalOf(me.resume(made.id))).toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining('change send_at'),
      });
      const { send_at } = inAnHour(world());
      expect(await me.update(made.id, { send_at })).toMatchObject({ status: 'paused', next_run_at: null });
      expect(await me.resume(made.id)).toMatchObject({ status: 'active', next_run_at: send_at });
    });

    it('keeps its template, and its room', async () => {
      const made = await me.schedule({ ...hourly, data: { text: 'kept' } });
      const before = await stored();
      await me.pause(made.id);
      expect(await stored()).toEqual(before);
      const { organization_id, environment } = me.principal;
      const asked = { organization_id, environment, template_id: made.template_id };
      expect(await ask(listTemplateSchedules(world()), asked)).toMatchObject({
        schedules: [{ id: made.id }],
      });
    });
  });

  describe('by a run now', () => {
    it('is sent once for an operation, also when it is repeated at the same time, and keeps its times', async () => {
      const made = await me.schedule(hourly);
      const context = contextOf();
      const both = await Promise.all([me.runNow(made.id, context), me.runNow(made.id, context)]);
      expect(both[0]).toEqual(both[1]);
      expect(both[0]).toMatchObject({ status: 'pending', requested_by: me.principal.actor.user_id });
      await world().replica.work();
      expect(await me.runNow(made.id, context)).toMatchObject({ due_at: both[0]?.due_at, status: 'sent' });
      expect(await posts()).toHaveLength(1);
      const { runs, next_run_at } = await me.read(made.id);
      expect([runs.length, next_run_at]).toEqual([1, made.next_run_at]);
      expect(await actionsOf(made.id)).toEqual(['created', 'run']);
    });

    it('is sent again for another operation, also while it is paused', async () => {
      const { id } = await me.schedule(hourly);
      await me.pause(id);
      await Promise.all([me.runNow(id), me.runNow(id)]);
      await world().replica.work();
      const { runs, status } = await me.read(id);
      expect([status, ...runs.map((run) => run.status)]).toEqual(['paused', 'sent', 'sent']);
      expect(await posts()).toHaveLength(2);
    });

    it('is reported as it was answered, and not run any more once it was reported to have done nothing', async () => {
      const { id } = await me.schedule(hourly);
      const { organization_id, environment } = me.principal;
      const report = (operation_id: string) =>
        ask(reportOperation(world()), {
          organization_id,
          environment,
          operation_id,
          operation: runDeclaration.id,
        });
      const context = contextOf();
      const reply = await me.runNow(id, context);
      expect(await report(context.operationId)).toEqual({ outcome: 'done', reply });
      const other = contextOf();
      expect(await report(other.operationId)).toMatchObject({ outcome: 'nothing' });
      expect(await refusalOf(me.runNow(id, other))).toMatchObject({ code: 'service_unavailable' });
      expect((await me.read(id)).runs).toHaveLength(1);
    });
  });

  describe('by an edit', () => {
    it('has the new values at its next run, and keeps those that are not named', async () => {
      const made = await me.schedule({ ...hourly, data: { service: 'api' }, strict: true, message_key: 'a' });
      const cron = '30 9 * * 1-5';
      const changed = await me.update(made.id, {
        cron,
        timezone: 'Europe/Berlin',
        data: { service: 'web' },
        strict: null,
      });
      const { next_run_at, next_runs } = changed;
      expect(changed).toMatchObject({ cron, timezone: 'Europe/Berlin', strict: null, message_key: 'a' });
      expect([next_runs.length, next_runs[0]]).toEqual([5, next_run_at]);
      expect(next_run_at).not.toBe(made.next_run_at);
      expect(await me.read(made.id)).toEqual(changed);
      const [, edit] = await auditOf(made.id);
      expect(edit).toMatchObject({
        action: 'scheduled_message.updated',
        changes: { cron: { from: hourly.cron, to: cron }, data: 'changed', strict: 'changed' },
      });
      expect(JSON.stringify(edit)).not.toContain('web');
    });

    it('of its times keeps the run that was due before, of which there is one whoever takes it', async () => {
      const made = await me.schedule(hourly);
      jumpTo(world(), made.next_run_at);
      await Promise.all([world().replica.begin(), me.update(made.id, { cron: '@daily' })]);
      await world().replica.work();
      const { runs, cron } = await me.read(made.id);
      expect([cron, runs.map((run) => run.due_at)]).toEqual(['@daily', [made.next_run_at]]);
      expect(await posts()).toHaveLength(1);
    });

    it('goes to another recipient, in no thread of the one before, and at one time in place of many', async () => {
      const made = await me.schedule({ ...hourly, thread_ts: '1700000000.000100', reply_broadcast: true });
      const { send_at } = inAnHour(world());
      expect(await me.update(made.id, { recipient_chat_id: 'U0LINUS', send_at })).toMatchObject({
        channel_id: null,
        recipient_chat_id: 'U0LINUS',
        thread_ts: null,
        cron: null,
        send_at,
        next_runs: [send_at],
      });
    });

    it('without its key has no more what was to become of the message of the key', async () => {
      const keyed = { message_key: 'a', on_existing: 'reply', reply_broadcast: true } as const;
      const made = await me.schedule({ ...hourly, ...keyed });
      const changed = await me.update(made.id, { message_key: null });
      for (const name of Object.keys(keyed)) expect(changed).not.toHaveProperty(name);
      const contrary = me.update(made.id, { message_key: null, on_existing: 'skip' });
      expect(await refusalOf(contrary)).toMatchObject({ code: 'validation_failed' });
    });

    it('leaves a message that was accepted where it was going, with what it says at its post', async () => {
      const made = await me.schedule(hourly);
      await limitRate(world(), me.channel, 30);
      jumpTo(world(), made.next_run_at);
      await world().replica.work();
      await me.update(made.id, {
        channel_id: newChannel(),
        thread_ts: '1700000000.000100',
        message_key: 'a',
      });
      const { rendered } = world().others.answers;
      world().others.answers.rendered = { ...rendered, version_number: 4, warnings: [] };
      await world().rows("update chat_connections set workspace_id = 'T0NEXT'");
      world().clock.jump(minuteMs);
      await world().replica.work();
      const went = { channel: me.channel, channel_id: me.channel, thread_ts: null, message_key: null };
      const said = { version_number: 4, warnings: [], workspace_id: 'T0NEXT' };
      expect(await rowsOf(world(), me.principal)).toMatchObject([{ status: 'sent', ...went, ...said }]);
      expect(await posts()).toHaveLength(1);
      world().others.answers.rendered = rendered;
    });

    it.each([
      ['no recipient', { channel_id: null }, 'channel_id'],
      ['a time that has passed', { send_at: '2020-01-01T00:00:00Z' }, 'send_at'],
      ['a cron that is none', { cron: '0 25 * * *' }, 'cron'],
      ['options that need others', { on_existing: 'skip' }, 'on_existing'],
    ])('is refused with %s, and nothing changes', async (_, body, path) => {
      const made = await me.schedule(hourly);
      expect(await refusalOf(me.update(made.id, body))).toMatchObject({
        code: 'validation_failed',
        facts: { issues: [{ path: [path] }] },
      });
      expect(await me.read(made.id)).toEqual(made);
    });

    it('is refused to a caller who has read another state', async () => {
      const made = await me.schedule(hourly);
      const tag = resourceTag(made, getDeclaration.entityTag ?? {});
      await me.update(made.id, { catch_up: true }, contextOf(tag));
      expect(await refusalOf(me.update(made.id, { catch_up: false }, contextOf(tag)))).toMatchObject({
        code: 'changed_meanwhile',
      });
    });

    it('is refused beyond the bytes that the tier allows', async () => {
      const limits = { ...defaultTiers.free.stored, scheduled_data_bytes: 1_000 };
      world().allowanceOf.set(me.principal.organization_id, limits);
      const { id } = await me.schedule(hourly);
      const data = { text: 'x'.repeat(1_000) };
      expect(await refusalOf(me.update(id, { data }))).toMatchObject({ code: 'tier_limit' });
      expect(await me.read(id)).toMatchObject({ data: {} });
    });

    it('asks for another template before it is named', async () => {
      const made = await me.schedule(hourly);
      const { version } = world().others.answers;
      world().others.answers.version = { found: false, code: 'invalid_state' };
      expect(await me.update(made.id, { catch_up: true })).toMatchObject({ catch_up: true });
      const refusal = await refusalOf(me.update(made.id, { template_id: uuidv7() }));
      world().others.answers.version = version;
      expect(refusal).toMatchObject({ code: 'invalid_state' });
      const template_id = uuidv7();
      expect(await me.update(made.id, { template_id })).toMatchObject({ template_id });
    });
  });

  it('has ended once it is cancelled, and is unknown to others', async () => {
    const { id } = await me.schedule(hourly);
    const stranger = await newScheduler({ ...world(), rows: () => Promise.resolve([]) });
    const changesBy = ({ pause, resume, runNow, update }: Scheduler) =>
      [pause, resume, runNow, (it: string) => update(it, { catch_up: true })].map((act) => act(id));
    for (const refused of changesBy(stranger)) {
      expect(await refusalOf(refused)).toMatchObject({ code: 'not_found' });
    }
    await me.cancel(id);
    for (const refused of changesBy(me)) {
      expect(await refusalOf(refused)).toMatchObject({ code: 'invalid_state' });
    }
    expect(await actionsOf(id)).toEqual(['created', 'cancelled']);
  });
});
