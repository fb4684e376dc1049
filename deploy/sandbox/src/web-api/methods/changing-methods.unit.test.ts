import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rejection, type StartedSandbox, startedSandbox } from '../../testing/started-sandbox.ts';

let sandbox: StartedSandbox;
beforeEach(async () => {
  sandbox = await startedSandbox();
});
afterEach(() => sandbox.close());

const channel = 'C0GENERAL';
const platformError = (name: string) =>
  expect.objectContaining({ data: expect.objectContaining({ error: name }) });
const call = (method: string, args: Record<string, unknown>) =>
  sandbox.client().apiCall(method, { channel, ...args });
const refusalOf = (method: string, args: Record<string, unknown>) => rejection(call(method, args));

const post = async (args: Record<string, unknown> = {}): Promise<string> => {
  await call('chat.postMessage', { text: 'one', ...args });
  const [{ ts } = { ts: '' }] = await sandbox.messages();
  return ts;
};

describe('chat.update', () => {
  it('replaces the text and the metadata of a message in its place', async () => {
    const ts = await post();
    const metadata = { event_type: 'stanza_message', event_payload: { key: 'k-1', revision: 2 } };
    expect(await call('chat.update', { ts, text: 'two', metadata })).toMatchObject({ ts, text: 'two' });
    expect(await sandbox.messages()).toMatchObject([{ ts, text: 'two', metadata, edits: 1 }]);
  });

  it('does not find what is not there, nor what one person sees', async () => {
    expect(await refusalOf('chat.update', { ts: '1.000000', text: 'two' })).toEqual(
      platformError('message_not_found'),
    );
    await call('chat.postEphemeral', { user: 'U0ADA', text: 'one' });
    const [{ ts } = { ts: '' }] = await sandbox.messages();
    expect(await refusalOf('chat.update', { ts, text: 'two' })).toEqual(platformError('message_not_found'));
    expect(await refusalOf('chat.update', { channel: 'C0NOSUCH', ts, text: 'two' })).toEqual(
      platformError('channel_not_found'),
    );
  });
});

describe('chat.delete', () => {
  it('takes a message out of its channel, once', async () => {
    const ts = await post();
    expect(await call('chat.delete', { ts })).toMatchObject({ ok: true, channel, ts });
    expect(await sandbox.messages()).toEqual([]);
    expect(await call('conversations.history', {})).toMatchObject({ messages: [] });
    expect(await refusalOf('chat.delete', { ts })).toEqual(platformError('message_not_found'));
  });
});

describe('chat.postEphemeral', () => {
  it('shows a message to one person, and to no history', async () => {
    const metadata = { event_type: 'stanza_message', event_payload: { key: 'k-1' } };
    const reply = await call('chat.postEphemeral', { user: 'U0ADA', text: 'one', metadata });
    const [message] = await sandbox.messages();
    expect(reply).toMatchObject({ ok: true, message_ts: message?.ts });
    expect(message).toMatchObject({ text: 'one', visible_to: 'U0ADA', metadata: null });
    expect(await call('conversations.history', {})).toMatchObject({ messages: [] });
  });

  it('needs a person whom it knows', async () => {
    expect(await refusalOf('chat.postEphemeral', { user: 'U0NOBODY', text: 'one' })).toEqual(
      platformError('user_not_in_channel'),
    );
  });
});

describe('options of a post', () => {
  it('are seen on the control surface', async () => {
    await post();
    expect(await sandbox.messages()).toMatchObject([
      { reply_broadcast: false, unfurl_links: null, unfurl_media: null, visible_to: null },
    ]);
    const ts = await post({ unfurl_links: false, unfurl_media: true });
    await post({ thread_ts: ts, reply_broadcast: true });
    expect(await sandbox.messages()).toMatchObject([
      { thread_ts: ts, reply_broadcast: true },
      { unfurl_links: false, unfurl_media: true },
      {},
    ]);
  });
});
