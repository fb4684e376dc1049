import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { blockSamples } from '../../testing/block-samples.ts';
import { rejection, type StartedSandbox, startedSandbox } from '../../testing/started-sandbox.ts';

let sandbox: StartedSandbox;
beforeEach(async () => {
  sandbox = await startedSandbox();
});
afterEach(() => sandbox.close());

/** Posts by the official client and returns the platform's error name. */
async function refusalOf(args: Record<string, unknown>): Promise<unknown> {
  const error = await rejection(
    sandbox.client().apiCall('chat.postMessage', { channel: 'C0GENERAL', ...args }),
  );
  expect(await sandbox.messages()).toEqual([]);
  return error;
}

const platformError = (name: string) =>
  expect.objectContaining({ data: expect.objectContaining({ error: name }) });

describe('chat.postMessage accepts', () => {
  it('a message with blocks and metadata, and answers as the platform does', async () => {
    const metadata = { event_type: 'stanza_message', event_payload: { key: 'k-1', v: 1 } };
    const blocks = [blockSamples.header, blockSamples.section];
    const reply = await sandbox
      .client()
      .apiCall('chat.postMessage', { channel: 'C0GENERAL', text: 'hi', blocks, metadata });
    const [message] = await sandbox.messages();
    expect(message).toMatchObject({
      channel: 'C0GENERAL',
      ts: expect.stringMatching(/^\d{10}\.\d{6}$/),
      text: 'hi',
      blocks,
      metadata,
      key: 'k-1',
      workspace: 'TACME',
    });
    expect(reply).toMatchObject({
      ok: true,
      channel: 'C0GENERAL',
      ts: message?.ts,
      message: { type: 'message', text: 'hi', ts: message?.ts, blocks, team: 'TACME' },
    });
  });

  it('a JSON body of a plain HTTP caller', async () => {
    const response = await fetch(`${sandbox.url}/api/chat.postMessage`, {
      method: 'POST',
      headers: {
        authorization: 'Bearer xoxb-sandbox-acme',
        'content-type': 'application/json; charset=utf-8',
      },
      body: JSON.stringify({ channel: 'C0ALERTS', blocks: [blockSamples.divider] }),
    });
    expect(await response.json()).toMatchObject({ ok: true, channel: 'C0ALERTS' });
  });

  it('a person as channel, and posts to the direct message with them', async () => {
    const reply = await sandbox.client().chat.postMessage({ channel: 'U0ADA', text: 'hi' });
    expect(reply.channel).toBe('D0ADA');
    expect(await sandbox.messages('?channel=D0ADA')).toHaveLength(1);
  });

  it('the channels kept for volume, from the first to the last', async () => {
    for (const channel of ['C1000', 'C1999']) {
      expect(await sandbox.client().chat.postMessage({ channel, text: 'hi' })).toMatchObject({
        ok: true,
        channel,
      });
    }
    expect(await rejection(sandbox.client().chat.postMessage({ channel: 'C2000', text: 'hi' }))).toEqual(
      platformError('channel_not_found'),
    );
  });

  it('another name and icon, and a reply in a thread', async () => {
    const client = sandbox.client();
    const { ts = '' } = await client.chat.postMessage({ channel: 'C0GENERAL', text: 'question' });
    await client.apiCall('chat.postMessage', {
      channel: 'C0GENERAL',
      text: 'answer',
      thread_ts: ts,
      username: 'Release bot',
      icon_emoji: ':rocket:',
    });
    expect(await sandbox.messages()).toMatchObject([
      { text: 'answer', thread_ts: ts, username: 'Release bot', icon_emoji: ':rocket:' },
      { text: 'question', thread_ts: null, username: null },
    ]);
  });

  it('a text over 40,000 characters cut, with a warning', async () => {
    const reply = await sandbox.client().chat.postMessage({ channel: 'C0GENERAL', text: 'x'.repeat(40_001) });
    expect(reply.response_metadata).toMatchObject({ warnings: ['message_truncated'] });
    expect((await sandbox.messages())[0]?.text).toHaveLength(40_000);
  });

  it('gives every message its own rising timestamp, however many are posted at once', async () => {
    const client = sandbox.client();
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => client.chat.postMessage({ channel: 'C0GENERAL', text: 'hi' })),
    );
    expect(new Set(replies.map(({ ts }) => ts)).size).toBe(50);
    const stamps = (await sandbox.messages()).map(({ ts }) => ts);
    expect(stamps).toEqual(stamps.toSorted().reverse());
  });
});

describe('chat.postMessage refuses', () => {
  const conversations = [
    ['C0SECRET', 'not_in_channel'],
    ['C0ARCHIVED', 'is_archived'],
    ['C0NOWHERE', 'channel_not_found'],
    ['U0NOBODY', 'channel_not_found'],
    ['', 'channel_not_found'],
  ] as const;
  for (const [channel, error] of conversations) {
    it(`channel "${channel}" with ${error}`, async () => {
      expect(await refusalOf({ channel, text: 'hi' })).toEqual(platformError(error));
    });
  }

  const contents: [string, Record<string, unknown>, string][] = [
    ['nothing to say', {}, 'no_text'],
    ['empty text and no blocks', { text: '', blocks: [] }, 'no_text'],
    ['blocks that are no JSON', { blocks: '[{' }, 'invalid_blocks_format'],
    ['blocks that are no list', { blocks: { type: 'divider' } }, 'invalid_blocks_format'],
    ['two tables', { blocks: [blockSamples.table, blockSamples.table] }, 'only_one_table_allowed'],
    [
      'too much text in blocks',
      { blocks: Array(5).fill({ type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(2_900) } }) },
      'msg_blocks_too_long',
    ],
    ['markdown_text beside text', { text: 'a', markdown_text: 'b' }, 'markdown_text_conflict'],
    ['a markdown_text over 12,000 characters', { markdown_text: 'x'.repeat(12_001) }, 'msg_too_long'],
    ['more than 100 attachments', { attachments: Array(101).fill({ text: 'x' }) }, 'too_many_attachments'],
    [
      'bad blocks in an attachment',
      { attachments: [{ blocks: [{ type: 'sektion' }] }] },
      'invalid_attachments',
    ],
    ['metadata without an event', { text: 'a', metadata: { event_type: 'x' } }, 'invalid_metadata_format'],
    ['metadata that is no JSON', { text: 'a', metadata: '{' }, 'invalid_metadata_format'],
    [
      'metadata over 4,000 bytes',
      { text: 'a', metadata: { event_type: 'x', event_payload: { key: 'x'.repeat(4_000) } } },
      'metadata_too_large',
    ],
    ['a thread that is no timestamp', { text: 'a', thread_ts: 'yesterday' }, 'invalid_thread_ts'],
    ['a thread that lost its zeros', { text: 'a', thread_ts: '1795726519.2490' }, 'invalid_thread_ts'],
    ['a thread without its digits', { text: 'a', thread_ts: '1.1' }, 'invalid_thread_ts'],
  ];
  for (const [what, args, error] of contents) {
    it(`${what} with ${error}`, async () => {
      expect(await refusalOf(args)).toEqual(platformError(error));
    });
  }

  it("bad blocks with every breach, its place and the platform's words", async () => {
    const header = { type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } };
    const line = 'must be less than 151 characters [json-pointer:/blocks/1/text/text]';
    expect(await refusalOf({ blocks: [blockSamples.divider, header] })).toMatchObject({
      data: {
        ok: false,
        error: 'invalid_blocks',
        errors: [line],
        response_metadata: { messages: [`[ERROR] ${line}`] },
      },
    });
  });
});
