import { describe, expect, it } from '@jest/globals';
import { getCredits, listCreditLog, listMessages, sendBulk } from '@stanza/contracts';
import { v7 } from 'uuid';
import { channelsOf } from '../kit/channels.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorldWith } from '../kit/stack.ts';
import { withLiveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const path = '/v1/templates/send-bulk';
/** Milliseconds that the slow channel takes: longer than a post may. */
const slowMs = 15_000;

const channels = channelsOf('bulk');

describe('sending to many destinations at once', () => {
  const own = sharedByTests(() => withLiveTemplate(openWorldWith({ credits: 150 })));
  const data = { service: 'api', version: '1.4.2' };

  /** The balance once every message sent so far is settled. */
  const settledBalance = async (): Promise<number> => {
    const credits = await waitFor('every reservation to be settled', async () => {
      const found = await own().api.ok(getCredits, { params: { organization_id: own().organization.id } });
      return found.reserved === 0 && found;
    });
    return credits.balance;
  };

  it('sends 89 of 100 when 7 are bad, 3 are unknown people and one channel is slow; charges 89, and replays', async () => {
    const before = await settledBalance();
    const good = Array.from({ length: 69 }, () => ({ channel_id: channels.next() }));
    const people = Array.from({ length: 20 }, (_, index) => ({
      recipient_email: `user${1200 + index}@example.com`,
    }));
    const bad = ['C0SECRET', 'C0ARCHIVED', 'C0NOSUCH', 'C0NONE', 'D0NOBODY', 'general', '#alerts'];
    const strangers = ['nobody@example.com', 'noone@example.com', 'not.here@example.com'];
    const slow = channels.next();
    await own().world.sandbox.slowPosts(slow, slowMs);
    const destinations = [
      ...bad.map((channel_id) => ({ channel_id })),
      ...good,
      { channel_id: slow },
      ...strangers.map((recipient_email) => ({ recipient_email })),
      ...people,
    ];
    const body = { template_id: own().template.id, data, destinations };
    const ask = () => own().api.post(path, body, { headers: { 'idempotency-key': 'the-hundred' } });
    const answer = await ask();
    // Past its deadline the gateway would have answered instead, with an error.
    expect(answer.status).toBe(200);
    const reply = sendBulk.reply.parse(answer.body);
    expect(reply).toMatchObject({ success: false, total_sent: 89, total_failed: 11 });
    const errors = Map.groupBy(reply.results, (it) => it.error ?? 'sent');
    expect(Object.fromEntries([...errors].map(([error, results]) => [error, results.length]))).toEqual({
      sent: 89,
      invalid_destination: 7,
      chat_user_not_found: 3,
      delivery_outcome_unknown: 1,
    });
    expect(reply.results.map((it) => it.destination)).toEqual(destinations);
    expect(await settledBalance()).toBe(before - 89);
    expect(reply.remaining_credits).toBe(before - 89);

    const replayed = await ask();
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.text).toBe(answer.text);
    expect(await settledBalance()).toBe(before - 89);
    for (const { channel_id } of good) expect(await own().world.sandbox.messages(channel_id)).toHaveLength(1);
    const charges = await own().api.ok(listCreditLog, {
      params: { organization_id: own().organization.id },
      query: { operation: 'send-bulk', limit: '100' },
    });
    expect(new Set(charges.data.map((it) => it.id))).toEqual(
      new Set(reply.results.flatMap((it) => it.credit_log_id ?? [])),
    );
    const log = await own().api.ok(listMessages, { query: { idempotency_key: 'the-hundred', limit: '1' } });
    expect(log.pagination.total).toBe(100);
  });

  it('sends nothing when the credits do not reach for all of them', async () => {
    const before = await settledBalance();
    const destinations = Array.from({ length: before + 1 }, () => ({ channel_id: channels.next() }));
    const refused = await own().api.post(path, { template_id: own().template.id, data, destinations });
    expect(refused).toMatchObject({ status: 402, body: { code: 'insufficient_credits' } });
    expect(await settledBalance()).toBe(before);
    for (const { channel_id } of destinations)
      expect(await own().world.sandbox.messages(channel_id)).toEqual([]);
  });

  it.each([
    ['no destination', [], 'destinations'],
    ['101 destinations', Array.from({ length: 101 }, () => ({ channel_id: 'C1200' })), 'destinations'],
    ['a destination without a form', [{ channel_id: 'C1200' }, {}], 'destinations.1'],
    ['a destination with two forms', [{ channel_id: 'C1200', recipient_chat_id: 'U1200' }], 'destinations.0'],
    [
      'a destination with what belongs to no form',
      [{ channel_id: 'C1200', thread_ts: '1.1' }],
      'destinations.0',
    ],
    ['an address that is none', [{ recipient_email: 'ada' }], 'destinations.0.recipient_email'],
  ])('is refused as a whole with %s', async (_, destinations, where) => {
    const refused = await own().api.post(path, { template_id: own().template.id, data, destinations });
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(refused.text).toContain(where);
  });

  it('takes the older spelling of its keys', async () => {
    const answer = await own().api.post(path, {
      templateId: own().template.id,
      data,
      destinations: [{ channelId: channels.next() }, { recipientEmail: 'user1250@example.com' }],
    });
    expect(answer).toMatchObject({ status: 200, body: { total_sent: 2 } });
  });

  it('reserves nothing for a template that is not there', async () => {
    const before = await settledBalance();
    const destinations = [{ channel_id: channels.next() }];
    const refused = await own().api.post(path, { template_id: v7(), data, destinations });
    expect(refused).toMatchObject({ status: 404, body: { code: 'template_not_found' } });
    expect(await settledBalance()).toBe(before);
  });
});
