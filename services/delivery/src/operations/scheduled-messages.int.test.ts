import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  createScheduledMessage as declaration,
  defaultTiers,
  type Principal,
  resolveLiveVersions,
} from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { forgetEndedSchedules } from '../schedules/store/scheduled-messages.ts';
import { ask, changesOf, openWorld, refusalOf, somebody } from '../testing/world.ts';
import { cancelScheduledMessage } from './cancel-scheduled-message.ts';
import { createScheduledMessage } from './create-scheduled-message.ts';
import { getScheduledMessage } from './get-scheduled-message.ts';
import { listScheduledMessages } from './list-scheduled-messages.ts';
import { listTemplateSchedules } from './list-template-schedules.ts';
import { reportOperation } from './report-operation.ts';

const hourMs = 3_600_000;

describe('a scheduled message', () => {
  const world = sharedByTests(openWorld);
  let principal: Principal;

  beforeEach(() => {
    principal = somebody();
    world().others.answers.version = { ...world().others.answers.version };
  });

  const inMs = (milliseconds: number) => new Date(world().clock.now().getTime() + milliseconds).toISOString();
  const create = (body: object = {}, context = newContext({ deadlineMs: 5_000, principal })) => {
    const whole = { template_id: uuidv7(), channel_id: 'C1', data: {}, catch_up: false, ...body };
    return ask(createScheduledMessage(world()), { body: whole }, principal, context);
  };
  const read = (id: string, reader = principal) =>
    ask(getScheduledMessage(world()), { params: { id } }, reader);
  const cancel = (id: string, by = principal) => ask(cancelScheduledMessage(world()), { params: { id } }, by);
  const list = (query: object = {}) =>
    ask(listScheduledMessages(world()), { query: { limit: 20, offset: 0, ...query } }, principal);
  const reported = (operation_id: string) => {
    const { organization_id, environment } = principal;
    const input = { organization_id, environment, operation_id, operation: declaration.id };
    return ask(reportOperation(world()), input);
  };
  const auditOf = (id: string) => changesOf(world(), id);

  it('shows when it will be sent, and what', async () => {
    const data = { service: 'api', at: { zone: 'b' } };
    const made = await create({ cron: '0 9 * * 1-5', timezone: 'Europe/Berlin', data, strict: true });
    expect(made).toMatchObject({
      status: 'active',
      channel_id: 'C1',
      cron: '0 9 * * 1-5',
      timezone: 'Europe/Berlin',
      send_at: null,
      catch_up: false,
      data,
      strict: true,
      locale: null,
      last_run: null,
      runs: [],
      created_by: principal.actor.user_id,
      ended_at: null,
    });
    expect(made.next_runs).toHaveLength(5);
    expect(made.next_runs[0]).toBe(made.next_run_at);
    expect(await read(made.id)).toEqual(made);
  });

  it('of a single time has that time as its only run', async () => {
    const send_at = inMs(hourMs);
    expect(await create({ send_at })).toMatchObject({
      send_at,
      next_run_at: send_at,
      next_runs: [send_at],
      cron: null,
    });
  });

  it.each([
    ['ahead', 60_000],
    ['behind', -60_000],
  ])('goes by the clock of the database where that of the process is %s', async (_, skew) => {
    const coming = inMs(45_000);
    const passed = inMs(-15_000);
    world().clock.skew(skew);
    try {
      expect(await create({ send_at: coming })).toMatchObject({ next_run_at: coming });
      expect(await refusalOf(create({ send_at: passed }))).toMatchObject({ code: 'validation_failed' });
    } finally {
      world().clock.skew(0);
    }
  });

  it.each([
    ['a time that has passed', { send_at: '2020-01-01T00:00:00Z' }, 'send_at', 'must be in the future'],
    ['a cron that is none', { cron: '0 25 * * *' }, 'cron', 'Invalid value for hour: 25; write five fields'],
    ['a cron of seconds', { cron: '* * * * * *' }, 'cron', 'write five fields'],
    ['a cron without a date to come', { cron: '0 0 30 2 *' }, 'cron', 'fits no date that is to come'],
  ])('is refused with %s, and the answer says why', async (_, body, path, message) => {
    const refusal = await refusalOf(create(body));
    expect(refusal).toMatchObject({
      code: 'validation_failed',
      facts: { issues: [{ path: [path], message: expect.stringContaining(message) }] },
    });
    expect((await list()).pagination.total).toBe(0);
  });

  it.each([
    ['template_not_found', 'template_not_found'],
    ['invalid_state', 'invalid_state'],
  ] as const)('is refused when its template is %s', async (code, expected) => {
    const { version } = world().others.answers;
    world().others.answers.version = { found: false, code };
    expect(await refusalOf(create({ cron: '@daily' }))).toMatchObject({ code: expected });
    world().others.answers.version = version;
  });

  it('is refused with a cron whose dates are sought for thousands of years', async () => {
    for (const cron of ['* * 1-6 * +1#2', '*/7 */5 1-7 * +1L']) {
      expect(await refusalOf(create({ cron }))).toMatchObject({
        facts: { issues: [{ path: ['cron'], message: expect.stringContaining('has + with # or L') }] },
      });
    }
  });

  it('may be made before its template has a live version', async () => {
    const { version } = world().others.answers;
    world().others.answers.version = { found: false, code: 'version_not_found' };
    expect(await create({ cron: '@daily' })).toMatchObject({ status: 'active' });
    world().others.answers.version = version;
  });

  it('is made once by a request that is repeated, also at the same time', async () => {
    const context = newContext({ deadlineMs: 5_000, principal });
    const body = { cron: '@daily', template_id: uuidv7() };
    const [one, other] = await Promise.all([create(body, context), create(body, context)]);
    expect(other).toEqual(one);
    expect(await create(body, context)).toEqual(one);
    expect((await list()).data.map((it) => it.id)).toEqual([one.id]);
    expect(await auditOf(one.id)).toHaveLength(1);
  });

  it('is not made any more once its request was reported to have done nothing', async () => {
    const context = newContext({ deadlineMs: 5_000, principal });
    expect(await reported(context.operationId)).toMatchObject({ outcome: 'nothing' });
    expect(await refusalOf(create({ cron: '@daily' }, context))).toMatchObject({
      code: 'service_unavailable',
    });
    expect((await list()).pagination.total).toBe(0);
  });

  it('is reported as its request was answered', async () => {
    const context = newContext({ deadlineMs: 5_000, principal });
    const reply = await create({ cron: '@daily' }, context);
    expect(await reported(context.operationId)).toEqual({ outcome: 'done', reply });
  });

  it('is refused beyond those that the tier allows active, of which two requests never take the last place', async () => {
    const { organization_id } = principal;
    await world().rows(
      `insert into scheduled_messages
         (organization_id, environment, id, operation_id, status, template_id, data, channel_id, cron, catch_up,
          next_run_at, created_by, created_at, updated_at)
       select $1, 'production', gen_random_uuid(), gen_random_uuid(), 'active', gen_random_uuid(), '{}', 'C1',
         '@yearly', false, now() + interval '1 year', 'somebody', now(), now()
       from generate_series(1, ${defaultTiers.pro.stored.scheduled_messages - 1})
       returning id`,
      [organization_id],
    );
    const both = await Promise.allSettled([create({ cron: '@daily' }), create({ cron: '@daily' })]);
    expect(both.map((it) => it.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await refusalOf(create({ cron: '@daily' }))).toMatchObject({
      code: 'tier_limit',
      message: expect.stringContaining('5000'),
    });
  });

  it('is listed without its data, newest first, by status and template', async () => {
    const first = await create({ cron: '@daily', data: { secret: 'of the message' } });
    const second = await create({ send_at: inMs(hourMs) });
    await cancel(first.id);
    const all = await list();
    expect(all.data.map((it) => it.id)).toEqual([second.id, first.id]);
    expect(JSON.stringify(all)).not.toContain('of the message');
    expect((await list({ status: 'cancelled' })).data.map((it) => it.id)).toEqual([first.id]);
    expect((await list({ template_id: second.template_id })).data.map((it) => it.id)).toEqual([second.id]);
    world().others.answers.keys.set('deploy-alert', second.template_id);
    expect((await list({ template_key: 'deploy-alert' })).data.map((it) => it.id)).toEqual([second.id]);
    expect(await list({ template_key: 'no-such' })).toMatchObject({ data: [], pagination: { total: 0 } });
  });

  it('can be cancelled, once and again', async () => {
    const { id } = await create({ cron: '@daily' });
    expect(await cancel(id)).toEqual({ success: true, id });
    const cancelled = await read(id);
    expect(cancelled).toMatchObject({ status: 'cancelled', next_run_at: null, next_runs: [] });
    expect(await cancel(id)).toEqual({ success: true, id });
    expect(await read(id)).toEqual(cancelled);
    expect(await auditOf(id)).toEqual([
      { action: 'scheduled_message.created', changes: expect.objectContaining({ cron: '@daily' }) },
      { action: 'scheduled_message.cancelled', changes: { runs_on_their_way: 0 } },
    ]);
  });

  it('leaves none of its data in the audit log', async () => {
    const { id } = await create({ cron: '@daily', data: { secret: 'of the message' } });
    expect(JSON.stringify(await auditOf(id))).not.toContain('of the message');
  });

  it('is unknown to others and in the other environment', async () => {
    const { id } = await create({ cron: '@daily' });
    const strangers = [somebody(), { ...principal, environment: 'preview' as const }];
    for (const stranger of strangers) {
      expect(await refusalOf(read(id, stranger))).toMatchObject({ code: 'not_found' });
      expect(await refusalOf(cancel(id, stranger))).toMatchObject({ code: 'not_found' });
    }
    expect(await read(id)).toMatchObject({ status: 'active' });
  });

  it('is named by the refusal to delete its template, as long as it is active', async () => {
    const template_id = uuidv7();
    const gone = await create({ template_id, cron: '@hourly' });
    await cancel(gone.id);
    const { id } = await create({ template_id, cron: '@daily' });
    const { id: once, send_at } = await create({ template_id, send_at: inMs(hourMs) });
    const { organization_id, environment } = principal;
    const asked = { organization_id, environment, template_id };
    expect(await ask(listTemplateSchedules(world()), asked)).toEqual({
      schedules: [
        { id, timing: '@daily' },
        { id: once, timing: send_at },
      ],
    });
    const elsewhere = { ...asked, environment: 'preview' };
    expect(await ask(listTemplateSchedules(world()), elsewhere)).toEqual({ schedules: [] });
  });

  it('asks for its template in the environment of its caller', async () => {
    const template_id = uuidv7();
    await create({ cron: '@daily', template_id });
    const { organization_id, environment } = principal;
    const call = world().others.calls.findLast((it) => it.operation === resolveLiveVersions.id);
    expect(call?.input).toEqual({ templates: [{ organization_id, environment, template_id }] });
  });

  it('is kept for a month after its end', async () => {
    const { id } = await create({ cron: '@daily' });
    const active = await create({ cron: '@daily' });
    await cancel(id);
    const forgetAfter = (days: number) => {
      const later = { aheadMs: days * 24 * hourMs };
      return forgetEndedSchedules(world().databaseTime.follow(world().realDatabase, () => later));
    };
    await forgetAfter(29);
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
    await forgetAfter(31);
    expect(await refusalOf(read(id))).toMatchObject({ code: 'not_found' });
    expect(await read(active.id)).toMatchObject({ status: 'active' });
  });
});
