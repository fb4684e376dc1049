import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  archiveTemplate,
  cancelScheduledMessage,
  createScheduledMessage,
  deleteUser,
  getCredits,
  getMessage,
  getScheduledMessage,
  listAuditLog,
  listScheduledMessages,
  setOrganizationStatus,
  unarchiveTemplate,
} from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import { channelsOf } from '../kit/channels.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { openWorldWith, type World } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const channels = channelsOf('schedules');

describe('a scheduled message', () => {
  let world: World;
  let organization: TestOrganization;
  let api: Api;
  let templateId: string;

  beforeAll(async () => {
    ({ world, organization, api } = await openWorldWith({ credits: 100 }));
    templateId = (await liveTemplate(api)).id;
  });
  afterAll(() => world.close());

  const data = { service: 'api', version: '1.4.2' };
  const soon = (milliseconds = 1_500) => new Date(Date.now() + milliseconds).toISOString();
  const schedule = (body: object, by = api) =>
    by.ok(createScheduledMessage, { body: { template_id: templateId, data, ...body } });
  const read = (id: string) => api.ok(getScheduledMessage, { params: { id } });

  /** Lets the time of the next run come, as it would by itself in a while. */
  const bringForward = (id: string) =>
    world.database.query(
      `update delivery.scheduled_messages
       set next_run_at = date_trunc('minute', now()) - $2::int * interval '1 second'
       where id = $1`,
      [id, runs++],
    );
  let runs = 0;
  const runsOf = (id: string, count: number) =>
    waitFor(`${count} runs to end`, async () => {
      const message = await read(id);
      const ended = message.runs.filter((it) => it.ended_at !== null);
      return ended.length === count && message;
    });

  it('is posted at its time, once, and costs one credit', async () => {
    const before = await api.ok(getCredits, { params: { organization_id: organization.id } });
    const send_at = soon();
    const { id } = await schedule({ channel_id: channels.at(0), send_at });
    const { status, last_run } = await runsOf(id, 1);
    expect(status).toBe('completed');
    expect(last_run).toMatchObject({ due_at: send_at, status: 'sent', error: null });
    const [post, ...more] = await world.sandbox.messages(channels.at(0));
    expect(more).toEqual([]);
    expect(JSON.stringify(post?.blocks)).toContain('1.4.2');
    const message = await api.ok(getMessage, { params: { id: last_run?.message_id ?? '' } });
    expect(message).toMatchObject({ status: 'sent', message_ts: post?.ts });
    expect(message.created_at >= send_at).toBe(true);
    await waitFor('the charge', async () => {
      const after = await api.ok(getCredits, { params: { organization_id: organization.id } });
      return after.reserved === 0 && after.balance === before.balance - 1;
    });
  });

  it('of a cron goes on after each run', async () => {
    const made = await schedule({
      channel_id: channels.at(1),
      cron: '0 9 * * *',
      timezone: 'America/New_York',
    });
    await bringForward(made.id);
    const once = await runsOf(made.id, 1);
    expect(once).toMatchObject({ status: 'active', last_run: { status: 'sent' } });
    expect(once.next_run_at).toBe(made.next_run_at);
    expect(await world.sandbox.messages(channels.at(1))).toHaveLength(1);
    await api.ok(cancelScheduledMessage, { params: { id: made.id } });
  });

  it('is refused with advice when its cron cannot be read', async () => {
    const body = { template_id: templateId, channel_id: channels.at(2), cron: 'at nine' };
    const answer = await api.post('/v1/scheduled-messages', body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(answer.text).toContain('0 9 * * 1-5');
  });

  it('is made once with the same Idempotency-Key', async () => {
    const body = { template_id: templateId, channel_id: channels.at(2), send_at: '2099-01-01T00:00:00Z' };
    const options = { headers: { 'idempotency-key': `remind-${organization.id}` } };
    const first = await api.post('/v1/scheduled-messages', body, options);
    const again = await api.post('/v1/scheduled-messages', body, options);
    expect([first.status, again.body]).toEqual([201, first.body]);
    const { id } = createScheduledMessage.reply.parse(first.body);
    const { data: listed } = await api.ok(listScheduledMessages, { query: { status: 'active' } });
    expect(listed.filter((it) => it.channel_id === channels.at(2)).map((it) => it.id)).toEqual([id]);
  });

  it('that is cancelled is not posted, and both changes are in the audit log', async () => {
    const { id } = await schedule({ channel_id: channels.at(3), send_at: soon(2_500) });
    expect(await api.ok(cancelScheduledMessage, { params: { id } })).toEqual({ success: true, id });
    expect(await api.ok(getScheduledMessage, { params: { id } })).toMatchObject({
      status: 'cancelled',
      next_run_at: null,
    });
    const later = await schedule({ channel_id: channels.at(4), send_at: soon(3_000) });
    await runsOf(later.id, 1);
    expect(await world.sandbox.messages(channels.at(3))).toEqual([]);
    await waitFor('the audit log', async () => {
      const { data: lines } = await api.ok(listAuditLog, { query: { limit: '100' } });
      const actions = lines.filter((it) => it.subject.id === id).map((it) => it.action);
      return actions.sort().join() === 'scheduled_message.cancelled,scheduled_message.created';
    });
  });

  it('says that its template is archived, and goes on when it is not any more', async () => {
    const template = await liveTemplate(api);
    const made = await schedule({ template_id: template.id, channel_id: channels.at(5), cron: '0 9 * * *' });
    await api.ok(archiveTemplate, { params: { id: template.id } });
    await bringForward(made.id);
    expect((await runsOf(made.id, 1)).last_run).toMatchObject({ status: 'failed', error: 'invalid_state' });
    await api.ok(unarchiveTemplate, { params: { id: template.id } });
    await bringForward(made.id);
    const { runs: all } = await runsOf(made.id, 2);
    expect(all.map((it) => it.status).sort()).toEqual(['failed', 'sent']);
    await api.ok(cancelScheduledMessage, { params: { id: made.id } });
  });

  it('does not run while the organization is suspended', async () => {
    const other = await world.newOrganization();
    const theirs = world.api.with((await other.key()).key);
    const { id: template_id } = await liveTemplate(theirs);
    const { id } = await schedule({ template_id, channel_id: channels.at(6), send_at: soon() }, theirs);
    await other.call(setOrganizationStatus, { organization_id: other.id, status: 'suspended' });
    await waitFor('the run to end', async () => {
      const { rowCount } = await world.database.query(
        "select from delivery.scheduled_runs where scheduled_message_id = $1 and status = 'failed'",
        [id],
      );
      return rowCount === 1;
    });
    await other.call(setOrganizationStatus, { organization_id: other.id, status: 'active' });
    const message = await waitFor('the key to work again', async () => {
      const answer = await theirs.get(`/v1/scheduled-messages/${id}`);
      return answer.status === 200 && getScheduledMessage.reply.parse(answer.body);
    });
    expect(message.last_run).toMatchObject({ status: 'failed', error: 'access_denied' });
    expect(await world.sandbox.messages(channels.at(6))).toEqual([]);
  });

  it('continues as the organization after its creator was removed', async () => {
    const { userId, token } = await organization.session({ role: 'member' });
    const made = await schedule({ channel_id: channels.at(7), send_at: soon(2_000) }, world.api.with(token));
    expect(made.created_by).toBe(userId);
    await api.ok(deleteUser, { params: { id: userId } });
    expect((await runsOf(made.id, 1)).last_run).toMatchObject({ status: 'sent' });
  });
});
