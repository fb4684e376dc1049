import { describe, expect, it } from '@jest/globals';
import { CodedError, errorTable, renderTemplate, reserveTogether, sendBulk } from '@stanza/contracts';
import { newContext, Tenant } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { withdrawOperations } from '../messages/store/reservations.ts';
import {
  ask,
  connected,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  sendToMany,
  settlementsOf,
  shortDeadlineMs,
} from '../testing/world.ts';
import { reportOperation } from './report-operation.ts';

const method = 'chat.postMessage';

describe('send-bulk', () => {
  const world = sharedByTests(openWorld);

  const channels = (count: number) => Array.from({ length: count }, () => ({ channel_id: newChannel() }));

  const itemsOf = async (principal: Parameters<typeof settlementsOf>[1]) =>
    (await settlementsOf(world(), principal))
      .flatMap((it) => it.items)
      .sort((one, other) => one.item - other.item);

  it('posts to a channel and to people by e-mail address and chat id, each with its row and its own charge', async () => {
    const principal = await connected(world());
    const channel_id = newChannel();
    const destinations = [
      { channel_id },
      { recipient_email: 'ada@example.com' },
      { recipient_chat_id: 'U0GRACE' },
    ];
    const reply = await sendToMany(world(), principal, { destinations });
    const rows = (await rowsOf(world(), principal)).sort((one, other) => one.item - other.item);
    expect(reply).toEqual({
      success: true,
      results: destinations.map((destination, item) => ({
        destination,
        message_id: rows[item]?.id,
        channel: [channel_id, 'D0ADA', 'D0GRACE'][item],
        success: true,
        message_ts: rows[item]?.message_ts,
        credit_log_id: rows[item]?.credit_log_id,
      })),
      total_sent: 3,
      total_failed: 0,
      remaining_credits: 41,
      warnings: ['author: no value'],
      chat_truncation: { fields_truncated: 1 },
      version_id: world().others.answers.rendered.version_id,
      version_number: 3,
    });
    expect(rows).toMatchObject(
      [0, 1, 2].map((item) => ({ item, origin: 'bulk', status: 'sent', charged: true })),
    );
    for (const row of rows) expect(await world().posts(row.id)).toHaveLength(1);
    expect(await itemsOf(principal)).toEqual(
      rows.map(({ item, id, credit_log_id }) => ({ item, charged: true, credit_log_id, message_id: id })),
    );
  });

  it('compiles once and reserves for all of them', async () => {
    const principal = await connected(world());
    const context = newContext({ deadlineMs: 20_000, principal });
    await sendToMany(world(), principal, { destinations: channels(5) }, context);
    const { content, wish } = world().others.askedFor(context.operationId);
    expect(content?.operation).toBe(renderTemplate.id);
    expect(wish).toMatchObject({ operation: 'send-bulk', amount: 5 });
  });

  it('posts nothing and writes nothing when there are too few credits', async () => {
    const principal = await connected(world());
    const destinations = channels(3);
    world().others.answers.failing.set(reserveTogether.id, new CodedError('insufficient_credits'));
    const refused = await refusalOf(sendToMany(world(), principal, { destinations }));
    world().others.answers.failing.delete(reserveTogether.id);
    expect(refused).toMatchObject({ code: 'insufficient_credits' });
    expect(await rowsOf(world(), principal)).toEqual([]);
    for (const { channel_id } of destinations) expect(await world().postsIn(channel_id)).toEqual([]);
  });

  it('reports the outcome of each message, and releases what was not sent', async () => {
    const principal = await connected(world());
    const [good, lost, throttled] = [newChannel(), newChannel(), newChannel()];
    await world().misbehave({ method, channel: lost, mode: 'status', value: 500, times: 1 });
    await world().misbehave({ method, channel: throttled, mode: 'rate_limited', value: 60, times: 1 });
    const reply = await sendToMany(world(), principal, {
      destinations: [
        { channel_id: 'C0ARCHIVED' },
        { channel_id: good },
        { recipient_email: 'nobody@example.com' },
        { channel_id: lost },
        { channel_id: throttled },
      ],
    });
    expect(reply).toMatchObject({ success: false, total_sent: 1, total_failed: 4, remaining_credits: 45 });
    expect(reply.results.map((it) => it.error)).toEqual([
      'invalid_destination',
      undefined,
      'chat_user_not_found',
      'delivery_outcome_unknown',
      'rate_limited',
    ]);
    expect(reply.results.map((it) => it.retryable)).toEqual([false, undefined, false, false, true]);
    const rows = (await rowsOf(world(), principal)).sort((one, other) => one.item - other.item);
    expect(reply.results[0]).toEqual({
      destination: { channel_id: 'C0ARCHIVED' },
      message_id: rows[0]?.id,
      success: false,
      error: 'invalid_destination',
      error_message: errorTable.invalid_destination.meaning,
      retryable: false,
    });
    expect(reply.results.map((it) => it.message_id)).toEqual(rows.map((it) => it.id));
    expect((await itemsOf(principal)).map((it) => it.charged)).toEqual([false, true, false, false, false]);
  });

  it('says that a person whom the platform could not look up for now may be tried again', async () => {
    const principal = await connected(world());
    await world().misbehave({ method: 'conversations.open', mode: 'status', value: 503, times: 6 });
    const reply = await sendToMany(world(), principal, {
      destinations: [{ channel_id: newChannel() }, { recipient_chat_id: 'U1504' }],
    });
    expect(reply.results).toMatchObject([
      { success: true },
      { success: false, error: 'chat_dm_failed', retryable: true },
    ]);
  });

  it('sends two messages to a destination that is named twice', async () => {
    const principal = await connected(world());
    const channel_id = newChannel();
    const reply = await sendToMany(world(), principal, { destinations: [{ channel_id }, { channel_id }] });
    expect(reply.total_sent).toBe(2);
    expect(new Set((await world().postsIn(channel_id)).map((it) => it.key)).size).toBe(2);
  });

  it('answers rate_limited, uncharged, for messages without a free slot in time, and posts the rest', async () => {
    const principal = await connected(world());
    const channel_id = newChannel();
    const context = newContext({ deadlineMs: shortDeadlineMs + 600, principal });
    const destinations = [...Array.from({ length: 6 }, () => ({ channel_id })), ...channels(2)];
    const reply = await sendToMany(world(), principal, { destinations }, context);
    const codes = reply.results.map((it) => it.error ?? 'sent');
    expect(codes.filter((code) => code === 'rate_limited').length).toBeGreaterThanOrEqual(2);
    expect(
      codes.filter((code) => code === 'sent').length + codes.filter((code) => code === 'rate_limited').length,
    ).toBe(8);
    expect(codes.slice(6)).toEqual(['sent', 'sent']);
    expect(await world().postsIn(channel_id)).toHaveLength(reply.total_sent - 2);
    expect((await itemsOf(principal)).filter((it) => it.charged)).toHaveLength(reply.total_sent);
  });

  it('answers the second call of an operation from the rows of the first, and posts nothing more', async () => {
    const principal = await connected(world());
    const context = { ...newContext({ deadlineMs: 20_000, principal }), keyDigest: 'digest' };
    const body = {
      destinations: [...channels(3), { channel_id: 'C0ARCHIVED' }, { recipient_email: 'ada@example.com' }],
    };
    const first = await sendToMany(world(), principal, body, context);
    const calls = world().others.calls.length;
    expect(await sendToMany(world(), principal, body, context)).toEqual(first);
    expect(world().others.calls).toHaveLength(calls);
    for (const row of await rowsOf(world(), principal)) {
      expect(await world().posts(row.id)).toHaveLength(row.status === 'sent' ? 1 : 0);
    }
    expect(await itemsOf(principal)).toHaveLength(5);
    const { organization_id, environment } = principal;
    const asked = { organization_id, environment, operation_id: context.operationId, operation: sendBulk.id };
    expect(await ask(reportOperation(world()), asked)).toEqual({ outcome: 'done', reply: first });
  });

  it('posts each message once when two calls of one operation race', async () => {
    const principal = await connected(world());
    const context = newContext({ deadlineMs: 20_000, principal });
    const destinations = channels(10);
    const calls = [1, 2, 3].map(() => sendToMany(world(), principal, { destinations }, context));
    const settled = await Promise.allSettled(calls);
    expect(settled.some((it) => it.status === 'fulfilled')).toBe(true);
    for (const { channel_id } of destinations) expect(await world().postsIn(channel_id)).toHaveLength(1);
    expect(await rowsOf(world(), principal)).toHaveLength(10);
    expect(await itemsOf(principal)).toHaveLength(10);
  });

  it('posts nothing of an operation that was withdrawn before', async () => {
    const principal = await connected(world());
    const context = newContext({ deadlineMs: 20_000, principal });
    const { organizationId: organization_id, environment } = Tenant.of(principal);
    const operation = { organization_id, environment, operation_id: context.operationId };
    await withdrawOperations(world().database, [operation]);
    const destinations = channels(3);
    const refused = await refusalOf(sendToMany(world(), principal, { destinations }, context));
    expect(refused).toMatchObject({ code: 'service_unavailable', facts: { nothing_done: true } });
    expect(await rowsOf(world(), principal)).toEqual([]);
    expect((await itemsOf(principal)).map((it) => it.charged)).toEqual([false, false, false]);
    for (const { channel_id } of destinations) expect(await world().postsIn(channel_id)).toEqual([]);
  });

  it('writes what was posted while other messages of the request are on their way', async () => {
    const principal = await connected(world());
    const [slow, ...others] = channels(4);
    if (!slow) throw new Error('there are four');
    await world().misbehave({ method, channel: slow.channel_id, mode: 'latency', value: 1_500 });
    const sending = sendToMany(world(), principal, { destinations: [slow, ...others] });
    let statuses: string[] = [];
    while (!statuses.includes('sent')) statuses = (await rowsOf(world(), principal)).map((it) => it.status);
    expect(statuses).toContain('posting');
    expect(await sending).toMatchObject({ success: true, total_sent: 4 });
  });

  it('is still running for a second call while one of its messages is on its way', async () => {
    const principal = await connected(world());
    const context = newContext({ deadlineMs: 20_000, principal });
    const [slow, quick] = channels(2);
    if (!slow || !quick) throw new Error('there are two');
    await world().misbehave({ method, channel: slow.channel_id, mode: 'latency', value: 1_500 });
    const body = { template_id: uuidv7(), destinations: [slow, quick] };
    const first = sendToMany(world(), principal, body, context);
    let second: unknown;
    while (!(second instanceof CodedError) || second.facts.details === undefined) {
      second = await refusalOf(
        (await rowsOf(world(), principal)).length > 0
          ? sendToMany(world(), principal, body, context)
          : Promise.reject(new Error('not yet')),
      );
    }
    expect(second).toMatchObject({ code: 'service_unavailable', facts: { retry_after: 5 } });
    expect(await first).toMatchObject({ success: true, total_sent: 2 });
  });
});
