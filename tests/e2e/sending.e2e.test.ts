import { describe, expect, it } from '@jest/globals';
import { getCredits, getMessage, listMessages, sendTemplate } from '@stanza/contracts';
import { channelsOf } from '../kit/channels.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorldWith } from '../kit/stack.ts';
import { liveTemplate, withLiveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const channels = channelsOf('sending');

describe('sending a message', () => {
  const own = sharedByTests(() =>
    withLiveTemplate(openWorldWith(), { user_name: 'Deploy bot', icon_emoji: ':rocket:' }),
  );
  const data = { service: 'api', version: '1.4.2' };

  /** The balance once every message sent so far is settled. */
  const settledBalance = () =>
    waitFor('every reservation to be settled', async () => {
      const credits = await own().api.ok(getCredits, { params: { organization_id: own().organization.id } });
      return credits.reserved === 0 && credits;
    }).then((credits) => credits.balance);

  const ledger = async (creditLogId: string) =>
    (await own().world.database.query('select * from organization.credit_log where id = $1', [creditLogId]))
      .rows;

  it.each([
    ['a channel', () => ({ channel_id: channels.next() })],
    ['a person by e-mail address', () => ({ recipient_email: 'user1101@example.com' })],
    ['a person by chat id', () => ({ recipient_chat_id: 'U1102' })],
  ])('reaches %s, is logged, and is charged once', async (_, recipient) => {
    const sent = await own().api.ok(sendTemplate, {
      body: { template_id: own().template.id, data, ...recipient() },
    });
    const [posted] = await own().world.sandbox.messages(sent.channel);
    expect(posted).toMatchObject({
      ts: sent.message_ts,
      key: sent.message_id,
      blocks: [{ type: 'header' }, {}],
    });
    const logged = await own().api.ok(getMessage, { params: { id: sent.message_id } });
    expect(logged).toMatchObject({
      status: 'sent',
      message_ts: sent.message_ts,
      credit_log_id: sent.credit_log_id,
    });
    const rows = await waitFor('the charge', async () => {
      const found = await ledger(sent.credit_log_id ?? '');
      return found.length > 0 && found;
    });
    expect(rows).toHaveLength(1);
  });

  it('escapes mentions that come from data', async () => {
    const channel = channels.next();
    await own().api.ok(sendTemplate, {
      body: {
        template_id: own().template.id,
        data: { service: 'x', version: '<!channel> & <@U0ADA>' },
        channel_id: channel,
      },
    });
    const [posted] = await own().world.sandbox.messages(channel);
    expect(JSON.stringify(posted)).toContain('&lt;!channel&gt; &amp; &lt;@U0ADA&gt;');
    expect(JSON.stringify(posted)).not.toContain('<!channel>');
  });

  it.each([
    ['C0SECRET', 400, 'invalid_destination'],
    ['C0ARCHIVED', 400, 'invalid_destination'],
    ['C0NOSUCH', 400, 'invalid_destination'],
  ])('to %s is refused with %i %s and costs nothing', async (channel_id, status, code) => {
    const before = await settledBalance();
    const refused = await own().api.post('/v1/templates/send', {
      template_id: own().template.id,
      data,
      channel_id,
    });
    expect(refused).toMatchObject({ status, body: { code } });
    expect(await settledBalance()).toBe(before);
  });

  it('to an unknown person is refused and leaves a failed row', async () => {
    const refused = await own().api.post('/v1/templates/send', {
      template_id: own().template.id,
      data,
      recipient_email: 'nobody@example.com',
    });
    expect(refused).toMatchObject({ status: 404, body: { code: 'chat_user_not_found' } });
    const log = await own().api.ok(listMessages, {
      query: { status: 'failed', template_id: own().template.id },
    });
    expect(log.data.map((it) => it.error)).toContain('chat_user_not_found');
  });

  it('is never posted twice when the answer is lost: found by its key, it is a success', async () => {
    const channel = channels.next();
    await own().world.sandbox.loseAnswer(channel);
    const answer = await own().api.post('/v1/templates/send', {
      template_id: own().template.id,
      data,
      channel_id: channel,
    });
    expect(answer.status === 200 || answer.status === 502).toBe(true);
    if (answer.status === 502) expect(answer.body).toMatchObject({ code: 'delivery_outcome_unknown' });
    expect(await own().world.sandbox.messages(channel)).toHaveLength(1);
  });

  it('is never posted twice when the answer is lost and history cannot be read: the outcome is unknown', async () => {
    const channel = channels.next();
    await own().world.sandbox.loseAnswer(channel);
    await own().world.sandbox.setFault({
      method: 'conversations.history',
      channel,
      mode: 'error',
      value: 'missing_scope',
    });
    const answer = await own().api.post('/v1/templates/send', {
      template_id: own().template.id,
      data,
      channel_id: channel,
    });
    expect(answer).toMatchObject({ status: 502, body: { code: 'delivery_outcome_unknown' } });
    expect(await own().world.sandbox.messages(channel)).toHaveLength(1);
    const log = await own().api.ok(listMessages, { query: { status: 'unknown' } });
    expect(log.data.some((it) => it.destination.channel_id === channel)).toBe(true);
  });

  it('waits as long as the platform says when it is told to slow down', async () => {
    const channel = channels.next();
    await own().world.sandbox.setFault({
      method: 'chat.postMessage',
      channel,
      mode: 'rate_limited',
      value: 1,
      times: 1,
    });
    await own().api.ok(sendTemplate, { body: { template_id: own().template.id, data, channel_id: channel } });
    expect(await own().world.sandbox.messages(channel)).toHaveLength(1);
  });

  it('to two recipients at once, or to none, is refused before anything runs', async () => {
    for (const recipients of [{}, { channel_id: 'C0GENERAL', recipient_chat_id: 'U0ADA' }]) {
      const refused = await own().api.post('/v1/templates/send', {
        template_id: own().template.id,
        data,
        ...recipients,
      });
      expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    }
  });

  it('needs a connection to the chat platform', async () => {
    const unconnected = await own().world.newOrganization({ connected: false });
    const other = own().world.api.with((await unconnected.key()).key);
    const { id } = await liveTemplate(other);
    const refused = await other.post('/v1/templates/send', {
      template_id: id,
      data,
      channel_id: channels.next(),
    });
    expect(refused).toMatchObject({ status: 409, body: { code: 'chat_not_connected' } });
  });
});
