import { describe, expect, it } from '@jest/globals';
import { renderTemplate } from '@stanza/contracts';
import { newContext, RpcFailure } from '@stanza/runtime';
import { until } from '@stanza/runtime/testing/wait';
import { sharedByTests } from '@stanza/test-kit/shared';
import {
  connected,
  newChannel,
  openWorld,
  refusalOf,
  rowsOf,
  send,
  settlementsOf,
  shortDeadlineMs,
} from '../testing/world.ts';

describe('send-template', () => {
  const world = sharedByTests(openWorld);

  it('posts to a channel, writes the row, and settles the credit that it chose', async () => {
    const principal = await connected(world());
    const channel = newChannel();
    const reply = await send(world(), principal, { channel_id: channel });
    const [row] = await rowsOf(world(), principal);
    expect(reply).toEqual({
      success: true,
      message_id: row?.id,
      channel,
      message_ts: row?.message_ts,
      version_id: world().others.answers.rendered.version_id,
      version_number: 3,
      warnings: ['author: no value'],
      chat_truncation: { fields_truncated: 1 },
      credit_log_id: row?.credit_log_id,
      remaining_credits: 41,
    });
    expect(row).toMatchObject({ status: 'sent', charged: true, channel, error: null });
    expect(await settlementsOf(world(), principal)).toMatchObject([
      { items: [{ item: 0, charged: true, credit_log_id: row?.credit_log_id, message_id: row?.id }] },
    ]);
    expect(await world().posts(reply.message_id)).toMatchObject([
      {
        channel,
        ts: reply.message_ts,
        text: 'Version 1.4.2 is live',
        username: 'Deploy bot',
        icon_emoji: ':rocket:',
        blocks: [{ type: 'section' }],
      },
    ]);
  });

  it('reaches people by e-mail address and by chat id, and asks for each only once', async () => {
    const principal = await connected(world());
    const byMail = await send(world(), principal, { recipient_email: 'Ada@Example.com' });
    const again = await send(world(), principal, { recipient_email: 'ada@example.com' });
    const byId = await send(world(), principal, { recipient_chat_id: 'U0ADA' });
    expect([byMail.channel, again.channel, byId.channel]).toEqual(['D0ADA', 'D0ADA', 'D0ADA']);
    const rows = await rowsOf(world(), principal);
    expect(rows.map((row) => row.attempts.map((it) => it.method))).toEqual([
      ['users.lookupByEmail', 'conversations.open', 'chat.postMessage'],
      ['chat.postMessage'],
      ['chat.postMessage'],
    ]);
  });

  it('answers the second call of an operation from the row of the first', async () => {
    const principal = await connected(world());
    const context = { ...newContext({ deadlineMs: 15_000, principal }), keyDigest: 'digest' };
    const body = { channel_id: newChannel() };
    const first = await send(world(), principal, body, context);
    const calls = world().others.calls.length;
    expect(await send(world(), principal, body, context)).toEqual(first);
    expect(world().others.calls).toHaveLength(calls);
    expect(await world().posts(first.message_id)).toHaveLength(1);
    expect(await settlementsOf(world(), principal)).toHaveLength(1);
  });

  it('reads no earlier message for the first request with its key, and posts once if it is not the first', async () => {
    const principal = await connected(world());
    const isFirst = { ...newContext({ deadlineMs: 15_000, principal }), keyDigest: 'digest', isFirst: true };
    const body = { channel_id: newChannel() };
    const first = await send(world(), principal, body, isFirst);
    const calls = world().others.calls.length;
    expect(await send(world(), principal, body, isFirst)).toEqual(first);
    // It was compiled again, and was repeated only when it began.
    expect(world().others.calls.length).toBeGreaterThan(calls);
    expect(await world().posts(first.message_id)).toHaveLength(1);
    expect(await settlementsOf(world(), principal)).toHaveLength(1);
  });

  it('posts once when two calls of one operation race', async () => {
    const principal = await connected(world());
    const context = newContext({ deadlineMs: 15_000, principal });
    const channel = newChannel();
    const calls = [1, 2, 3].map(() => send(world(), principal, { channel_id: channel }, context));
    const settled = await Promise.allSettled(calls);
    expect(settled.some((it) => it.status === 'fulfilled')).toBe(true);
    expect(await world().postsIn(channel)).toHaveLength(1);
    expect(await rowsOf(world(), principal)).toHaveLength(1);
    expect(await settlementsOf(world(), principal)).toHaveLength(1);
  });

  it('compiles and reserves in the name of the tenant and of this operation', async () => {
    const principal = await connected(world());
    const context = newContext({ deadlineMs: 15_000, principal });
    await send(world(), principal, { channel_id: newChannel() }, context);
    const { content, wish } = world().others.askedFor(context.operationId);
    const whose = { organization_id: principal.organization_id, environment: 'production' };
    expect(content?.operation).toBe(renderTemplate.id);
    expect(wish).toMatchObject({ ...whose, amount: 1 });
  });

  it('needs a connection of the same environment', async () => {
    const principal = await connected(world());
    const elsewhere = { ...principal, environment: 'preview' as const };
    expect(await refusalOf(send(world(), elsewhere))).toMatchObject({ code: 'chat_not_connected' });
    expect(await rowsOf(world(), principal)).toEqual([]);
  });

  it('waits for a place in compile where that is full for a moment, and is refused undone where it stays full', async () => {
    const principal = await connected(world());
    const { failing } = world().others.answers;
    failing.set(renderTemplate.id, new RpcFailure('overload', 'compile.render-template', false));
    const before = world().others.count(renderTemplate);
    const sent = send(world(), principal);
    await until(async () => world().others.count(renderTemplate) >= before + 2);
    failing.delete(renderTemplate.id);
    expect(await sent).toMatchObject({ success: true });

    failing.set(renderTemplate.id, new RpcFailure('overload', 'compile.render-template', false));
    const context = newContext({ deadlineMs: shortDeadlineMs, principal });
    expect(await refusalOf(send(world(), principal, {}, context))).toMatchObject({
      code: 'service_unavailable',
      facts: { nothing_done: true },
    });
    failing.delete(renderTemplate.id);
    expect(await rowsOf(world(), principal)).toHaveLength(1);
  });

  it('refuses a message without blocks', async () => {
    const principal = await connected(world());
    const { rendered } = world().others.answers;
    world().others.answers.rendered = { ...rendered, blocks: [] };
    expect(await refusalOf(send(world(), principal))).toMatchObject({ code: 'no_blocks_to_send' });
    world().others.answers.rendered = rendered;
  });
});
