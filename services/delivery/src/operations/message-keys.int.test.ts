import { describe, expect, it } from '@jest/globals';
import { type Principal, sendTemplate as sending } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import {
  anotherProcess,
  ask,
  connected,
  newChannel,
  newSender,
  openWorld,
  refusalOf,
  rowsOf,
  type SendBody,
  send,
  sendToMany,
  settlementsOf,
} from '../testing/world.ts';
import { deleteMessage } from './delete-message.ts';
import { listMessages } from './list-messages.ts';
import { reportOperation } from './report-operation.ts';

describe('messages with a key', () => {
  const world = sharedByTests(openWorld);

  const contextFor = (principal: Principal) => newContext({ deadlineMs: 15_000, principal });
  /** Lets the next compiles say this. */
  const says = (text: string) => {
    const { rendered } = world().others.answers;
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text } }];
    world().others.answers.rendered = { ...rendered, text, blocks };
  };
  const keyed = async (body: SendBody = {}) => {
    const { principal, channel } = await newSender(world());
    const sendAgain = (text: string, other: SendBody = {}, context = contextFor(principal)) => {
      says(text);
      return send(
        world(),
        principal,
        { channel_id: channel, message_key: 'deploy-4711', ...body, ...other },
        context,
      );
    };
    return { principal, channel, sendAgain };
  };
  const remove = (principal: Principal, id: string) =>
    ask(deleteMessage(world()), { params: { id } }, principal, contextFor(principal));

  it('are one message that changed', async () => {
    const { principal, channel, sendAgain } = await keyed();
    const first = await sendAgain('first');
    expect(first).toMatchObject({ revision: 1, changed: true });
    const second = await sendAgain('second');
    expect(second).toMatchObject({ message_id: first.message_id, message_ts: first.message_ts, revision: 2 });
    expect(await sendAgain('second')).toMatchObject({
      message_id: first.message_id,
      revision: 2,
      changed: false,
    });
    expect(await world().postsIn(channel)).toMatchObject([{ text: 'second', edits: 1 }]);
    const charged = (await settlementsOf(world(), principal)).map(({ items }) => items[0]?.charged);
    expect(charged).toEqual([true, true, false]);
    const query = { limit: 20, offset: 0, message_key: 'deploy-4711' };
    const { data } = await ask(listMessages(world()), { query }, principal);
    expect(data).toMatchObject([{ id: first.message_id, message_key: 'deploy-4711', revision: 2 }]);
    const searched = await ask(listMessages(world()), { query: { ...query, channel } }, principal);
    expect(searched.data).toHaveLength(1);
  });

  it('are others in another conversation, under another key, and in another environment', async () => {
    const { principal, sendAgain } = await keyed();
    const first = await sendAgain('first');
    const elsewhere = await sendAgain('first', { channel_id: newChannel() });
    const renamed = await sendAgain('first', { message_key: 'deploy-4712' });
    const other = await connected(world(), { ...principal, environment: 'preview' });
    const preview = await send(world(), other, { channel_id: newChannel(), message_key: 'deploy-4711' });
    expect(new Set([first, elsewhere, renamed, preview].map((it) => it.message_id)).size).toBe(4);
  });

  it('are found by the conversation, however it is named', async () => {
    const { sendAgain } = await keyed();
    const byMail = await sendAgain('first', { channel_id: undefined, recipient_email: 'ada@example.com' });
    const byId = await sendAgain('second', { channel_id: undefined, recipient_chat_id: 'U0ADA' });
    expect(byId).toMatchObject({ message_id: byMail.message_id, revision: 2 });
  });

  it('are not posted a second time by a request that finds their conversation late', async () => {
    const { principal, sendAgain } = await keyed({ channel_id: undefined, recipient_chat_id: 'U1503' });
    const { channel } = await sendAgain('first');
    // It has not looked up the conversation yet.
    const another = anotherProcess(world());
    await world().misbehave({ method: 'conversations.open', mode: 'status', value: 503, times: 6 });
    const body = { recipient_chat_id: 'U1503', message_key: 'deploy-4711' };
    expect(await refusalOf(send(another, principal, body, contextFor(principal)))).toMatchObject({
      code: 'chat_dm_failed',
      facts: { nothing_done: true },
    });
    expect(await world().postsIn(channel)).toMatchObject([{ text: 'first' }]);
    await another.chat.close();
  });

  it('lose their key where somebody has deleted them in the workspace, so that the next call posts another', async () => {
    const { channel, sendAgain } = await keyed();
    const first = await sendAgain('first');
    await world().misbehave({ method: 'chat.update', mode: 'error', value: 'message_not_found', times: 1 });
    expect(await refusalOf(sendAgain('second'))).toMatchObject({ code: 'invalid_state' });
    const next = await sendAgain('third');
    expect(next).toMatchObject({ revision: 1, changed: true });
    expect(next.message_id).not.toBe(first.message_id);
    expect(await world().postsIn(channel)).toMatchObject([{ text: 'third' }, { text: 'first' }]);
  });

  it('that are sent at once are one post, changed in turns', async () => {
    const { channel, sendAgain } = await keyed();
    await world().misbehave({ method: 'chat.postMessage', channel, mode: 'latency', value: 200 });
    const replies = await Promise.all(['a', 'b', 'c'].map((text) => sendAgain(text)));
    expect(new Set(replies.map((it) => it.message_id)).size).toBe(1);
    const posts = await world().postsIn(channel);
    expect(posts).toHaveLength(1);
    expect(posts[0]?.edits).toBe(replies.filter((it) => it.changed).length - 1);
  });

  it('are replied to, skipped, or posted anew, as the sender wants', async () => {
    const { principal, channel, sendAgain } = await keyed();
    const first = await sendAgain('first');
    const skipped = await sendAgain('skipped', { on_existing: 'skip' });
    expect(skipped).toMatchObject({ message_id: first.message_id, revision: 1, changed: false });
    expect(skipped).not.toHaveProperty('credit_log_id');
    const reply = await sendAgain('reply', { on_existing: 'reply', reply_broadcast: true });
    expect(reply.message_id).not.toBe(first.message_id);
    const posted = await sendAgain('posted', { on_existing: 'post' });
    expect(await sendAgain('updated')).toMatchObject({ message_id: posted.message_id, revision: 2 });
    expect((await world().postsIn(channel)).map(({ text, thread_ts }) => [text, thread_ts])).toEqual([
      ['updated', null],
      ['reply', first.message_ts],
      ['first', null],
    ]);
    const charged = (await settlementsOf(world(), principal)).map(({ items }) => items[0]?.charged);
    expect(charged).toEqual([true, false, true, true, true]);
  });

  it('are posted anew where the one before failed or was deleted', async () => {
    const { principal, channel, sendAgain } = await keyed();
    await world().misbehave({
      method: 'chat.postMessage',
      channel,
      mode: 'error',
      value: 'is_archived',
      times: 1,
    });
    expect(await refusalOf(sendAgain('first'))).toMatchObject({ code: 'invalid_destination' });
    const second = await sendAgain('second');
    expect(second).toMatchObject({ revision: 1, changed: true });
    await remove(principal, second.message_id);
    const third = await sendAgain('third');
    expect(third).toMatchObject({ revision: 1, changed: true });
    expect(third.message_id).not.toBe(second.message_id);
  });

  it('never overtake one whose outcome is unknown, and say which', async () => {
    const { principal, channel, sendAgain } = await keyed();
    await world().misbehave({ method: 'chat.postMessage', channel, mode: 'reset_before', times: 1 });
    const refused = await refusalOf(sendAgain('first'));
    const [row] = await rowsOf(world(), principal);
    expect(refused).toMatchObject({ code: 'delivery_outcome_unknown', facts: { details: row?.id } });
    const context = newContext({ deadlineMs: 4_500, principal });
    expect(await refusalOf(sendAgain('second', {}, context))).toMatchObject({
      code: 'invalid_state',
      facts: { details: row?.id, nothing_done: true },
    });
    expect(await world().postsIn(channel)).toEqual([]);
    expect(await rowsOf(world(), principal)).toHaveLength(1);
  });

  it('are answered from their rows when they are repeated, and reported so', async () => {
    const { principal, sendAgain } = await keyed();
    const { organization_id, environment } = principal;
    const contexts = [1, 2, 3].map(() => ({ ...contextFor(principal), keyDigest: 'digest' }));
    const sendAll = async () => {
      const replies: unknown[] = [];
      for (const [at, context] of contexts.entries()) {
        replies.push(await sendAgain(`${at}`, { on_existing: at === 2 ? 'skip' : 'update' }, context));
      }
      return replies;
    };
    const first = await sendAll();
    expect(await sendAll()).toEqual(first);
    expect(await settlementsOf(world(), principal)).toHaveLength(3);
    for (const [at, { operationId: operation_id }] of contexts.entries()) {
      const asked = { organization_id, environment, operation_id, operation: 'send-template' };
      expect(await ask(reportOperation(world()), asked)).toEqual({ outcome: 'done', reply: first[at] });
    }
  });

  it('are updated alone by another destination of the same request; the rest is refused at once', async () => {
    const { principal, channel } = await newSender(world());
    const first = { channel_id: channel, message_key: 'deploy-4711' };
    const twice = (on_existing: 'skip' | 'reply' | 'post') => {
      const context = newContext({ deadlineMs: 3_100, principal });
      const destinations = [first, { ...first, on_existing }];
      return refusalOf(sendToMany(world(), principal, { destinations }, context));
    };
    for (const choice of ['skip', 'reply', 'post'] as const) {
      expect(await twice(choice)).toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining('another destination of the request'),
        facts: { nothing_done: true },
      });
    }
    expect(await world().postsIn(channel)).toEqual([]);
  });

  it('stand among others in a bulk send, each with its revision', async () => {
    const { principal, channel } = await newSender(world());
    const [other, plain] = [newChannel(), newChannel()];
    const message_key = 'deploy-4711';
    const destinations = [
      { channel_id: channel, message_key },
      { channel_id: plain },
      { channel_id: other, message_key, on_existing: 'skip' as const },
    ];
    const context = { ...contextFor(principal), keyDigest: 'digest' };
    says('first');
    await sendToMany(world(), principal, { destinations });
    says('second');
    const reply = await sendToMany(world(), principal, { destinations }, context);
    expect(reply).toMatchObject({
      success: true,
      total_sent: 3,
      results: [{ revision: 2, changed: true }, { success: true }, { revision: 1, changed: false }],
    });
    expect(reply.results[1]).not.toHaveProperty('revision');
    expect(await sendToMany(world(), principal, { destinations }, context)).toEqual(reply);
    expect(await world().postsIn(channel)).toMatchObject([{ text: 'second', edits: 1 }]);
    expect(await world().postsIn(other)).toMatchObject([{ text: 'first', edits: 0 }]);
    expect(await world().postsIn(plain)).toHaveLength(2);
    const settled = (await settlementsOf(world(), principal)).filter(
      (it) => it.operation_id === context.operationId,
    );
    const charged = new Map(settled.flatMap(({ items }) => items.map((it) => [it.item, it.charged])));
    expect([0, 1, 2].map((item) => charged.get(item))).toEqual([true, true, false]);
  });
});

describe('options of a message', () => {
  const world = sharedByTests(openWorld);

  const body = (given: object) =>
    sending.body?.safeParse({ template_key: 'deploys', data: {}, channel_id: 'C1', ...given }).success;

  it('put it into the thread of another, also in the channel, without unfolding links', async () => {
    const { principal, channel } = await newSender(world());
    const first = await send(world(), principal, { channel_id: channel });
    await send(world(), principal, {
      channel_id: channel,
      reply_to: first.message_id,
      reply_broadcast: true,
      unfurl_links: false,
      unfurl_media: false,
    });
    const [reply] = await world().postsIn(channel);
    expect(reply).toMatchObject({
      thread_ts: first.message_ts,
      reply_broadcast: true,
      unfurl_links: false,
      unfurl_media: false,
    });
  });

  it('refuse a reply to what is not there, not sent, or in another conversation or workspace', async () => {
    const { principal, channel } = await newSender(world());
    const reply = (reply_to: string, channel_id = channel) =>
      refusalOf(send(world(), principal, { channel_id, reply_to }));
    const { message_id } = await send(world(), principal, { channel_id: channel });
    const misplaced = await reply(message_id, newChannel());
    expect(misplaced).toMatchObject({ code: 'invalid_state' });
    expect(JSON.stringify(misplaced)).not.toContain(channel);
    const move = (from: string, to: string) =>
      world().rows('update chat_connections set workspace_id = replace(workspace_id, $1, $2)', [from, to]);
    await move('T', 'U');
    expect(await reply(message_id)).toMatchObject({ message: expect.stringContaining('workspace') });
    await move('U', 'T');
    const elsewhere = await newSender(world());
    const theirs = await send(world(), elsewhere.principal, { channel_id: elsewhere.channel });
    expect(await reply(theirs.message_id)).toMatchObject({ code: 'invalid_state' });
    await ask(deleteMessage(world()), { params: { id: message_id } }, principal, contextOf(principal));
    expect(await reply(message_id)).toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining('deleted'),
    });
    expect(await settlementsOf(world(), principal)).toHaveLength(1);
  });

  it('show it to one person, who can neither be updated nor replied to', async () => {
    const { principal, channel } = await newSender(world());
    const { message_id } = await send(world(), principal, { channel_id: channel, visible_to: 'U0ADA' });
    expect(await world().postsIn(channel)).toMatchObject([{ visible_to: 'U0ADA', metadata: null }]);
    expect((await rowsOf(world(), principal))[0]).toMatchObject({ status: 'sent', visible_to: 'U0ADA' });
    expect(
      await refusalOf(
        ask(deleteMessage(world()), { params: { id: message_id } }, principal, contextOf(principal)),
      ),
    ).toMatchObject({ code: 'invalid_state', message: expect.stringContaining('one person') });
    const context = newContext({ deadlineMs: 4_000, principal });
    await world().misbehave({ method: 'chat.postEphemeral', channel, mode: 'reset_after', times: 1 });
    const lost = send(world(), principal, { channel_id: channel, visible_to: 'U0ADA' }, context);
    expect(await refusalOf(lost)).toMatchObject({ code: 'delivery_outcome_unknown' });
    expect((await rowsOf(world(), principal))[1]?.lookup_due_at).toBeNull();
    const stranger = send(world(), principal, { channel_id: channel, visible_to: 'U0NOBODY' });
    expect(await refusalOf(stranger)).toMatchObject({ code: 'invalid_destination' });
  });

  it('that contradict each other are refused', () => {
    const id = '01938c2e-7b1a-7c3d-9e4f-0000d2c1b0a1';
    const accepted: object[] = [
      { reply_to: id },
      { message_key: 'a', on_existing: 'skip' },
      { visible_to: 'U1' },
    ];
    const refused: object[] = [
      { reply_to: id, thread_ts: '1.000000' },
      { on_existing: 'skip' },
      { message_key: '' },
      { visible_to: 'U1', channel_id: undefined, recipient_email: 'ada@example.com' },
      { visible_to: 'U1', message_key: 'a' },
      { visible_to: 'U1', reply_broadcast: true },
      { reply_broadcast: true },
    ];
    expect(accepted.map(body)).toEqual(accepted.map(() => true));
    expect(refused.map(body)).toEqual(refused.map(() => false));
  });

  const contextOf = (principal: Principal) => newContext({ deadlineMs: 15_000, principal });
});
