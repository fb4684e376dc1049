import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { rejection, type StartedSandbox, startedSandbox } from '../../testing/started-sandbox.ts';

let sandbox: StartedSandbox;
beforeEach(async () => {
  sandbox = await startedSandbox();
});
afterEach(() => sandbox.close());

const platformError = (name: string) =>
  expect.objectContaining({ data: expect.objectContaining({ error: name }) });

describe('tokens', () => {
  it('name their workspace and bot by auth.test', async () => {
    const reply = await sandbox.client('xoxb-sandbox-globex').auth.test();
    expect(reply).toMatchObject({ ok: true, team_id: 'TGLOBEX', team: 'globex', bot_id: 'B0STANZA' });
    expect(reply.url).toBe(`${sandbox.url}/`);
  });

  it('may come as an argument', async () => {
    const response = await fetch(`${sandbox.url}/api/auth.test?token=xoxb-sandbox-acme`);
    expect(await response.json()).toMatchObject({ ok: true, team_id: 'TACME' });
  });

  it('are refused when revoked or unknown', async () => {
    expect(await rejection(sandbox.client('xoxb-revoked-1').auth.test())).toEqual(
      platformError('token_revoked'),
    );
    expect(await rejection(sandbox.client('xoxb-12-34').auth.test())).toEqual(platformError('invalid_auth'));
  });

  it('are needed', async () => {
    const response = await fetch(`${sandbox.url}/api/auth.test`, { method: 'POST' });
    expect(await response.json()).toEqual({ ok: false, error: 'not_authed' });
  });
});

describe('methods', () => {
  it('that the sandbox does not have are unknown', async () => {
    expect(await rejection(sandbox.client().apiCall('chat.shout'))).toEqual(platformError('unknown_method'));
  });

  it('are logged with their channel and outcome, newest first', async () => {
    const client = sandbox.client();
    await client.auth.test();
    await rejection(client.chat.postMessage({ channel: 'C0SECRET', text: 'hi' }));
    expect(await sandbox.calls()).toMatchObject([
      { method: 'chat.postMessage', channel: 'C0SECRET', outcome: 'not_in_channel' },
      { method: 'auth.test', channel: null, outcome: 'ok' },
    ]);
  });
});

describe('people', () => {
  it('are found by e-mail, whatever its case', async () => {
    const reply = await sandbox.client().users.lookupByEmail({ email: 'Ada@Example.com' });
    expect(reply.user).toMatchObject({ id: 'U0ADA', real_name: 'Ada Lovelace' });
  });

  it('have a locale, which is told where it is asked for', async () => {
    const { users } = sandbox.client();
    expect((await users.info({ user: 'U0LINUS' })).user).not.toHaveProperty('locale');
    expect((await users.info({ user: 'U0LINUS', include_locale: true })).user?.locale).toBe('de-DE');
  });

  it('are found for volume too', async () => {
    const reply = await sandbox.client().users.lookupByEmail({ email: 'user1999@example.com' });
    expect(reply.user?.id).toBe('U1999');
  });

  it('are users_not_found by an unknown e-mail and user_not_found by an unknown id', async () => {
    const client = sandbox.client();
    expect(await rejection(client.users.lookupByEmail({ email: 'nobody@example.com' }))).toEqual(
      platformError('users_not_found'),
    );
    expect(await rejection(client.users.info({ user: 'U0NOBODY' }))).toEqual(platformError('user_not_found'));
    expect((await client.users.info({ user: 'U0GRACE' })).user?.profile?.email).toBe('grace@example.com');
  });
});

describe('conversations', () => {
  it('with a person are the same each time they are opened', async () => {
    const client = sandbox.client();
    const first = await client.conversations.open({ users: 'U0LINUS' });
    const second = await client.conversations.open({ users: 'U0LINUS', return_im: true });
    expect(first.channel).toEqual({ id: 'D0LINUS' });
    expect(second.channel).toMatchObject({ id: 'D0LINUS', is_im: true, user: 'U0LINUS' });
    expect((await client.conversations.open({ channel: 'D0LINUS' })).channel?.id).toBe('D0LINUS');
  });

  const refusals: [string, Record<string, unknown>, string][] = [
    ['without a person', {}, 'users_list_not_supplied'],
    ['with an unknown person', { users: 'U0NOBODY' }, 'user_not_found'],
    ['with more than 8 people', { users: Array(9).fill('U0ADA').join(',') }, 'too_many_users'],
    ['by a channel that is no direct message', { channel: 'C0GENERAL' }, 'channel_not_found'],
  ];
  for (const [how, args, error] of refusals) {
    it(`cannot be opened ${how}: ${error}`, async () => {
      expect(await rejection(sandbox.client().apiCall('conversations.open', args))).toEqual(
        platformError(error),
      );
    });
  }

  it('are described by id, also where the bot is not a member', async () => {
    const client = sandbox.client();
    expect((await client.conversations.info({ channel: 'C0SECRET' })).channel?.is_member).toBe(false);
    expect((await client.conversations.info({ channel: 'C0ARCHIVED' })).channel?.is_archived).toBe(true);
    expect(await rejection(client.conversations.info({ channel: 'C0X' }))).toEqual(
      platformError('channel_not_found'),
    );
  });
});

describe('history', () => {
  async function post(texts: string[], more: Record<string, unknown> = {}): Promise<string[]> {
    const stamps: string[] = [];
    for (const text of texts) {
      const reply = await sandbox.client().chat.postMessage({ channel: 'C0GENERAL', text, ...more });
      stamps.push(reply.ts ?? '');
    }
    return stamps;
  }

  async function texts(args: Record<string, unknown> = {}): Promise<(string | undefined)[]> {
    const reply = await sandbox.client().conversations.history({ channel: 'C0GENERAL', ...args });
    return (reply.messages ?? []).map(({ text }) => text);
  }

  it('is newest first and of one channel and one workspace', async () => {
    await post(['one', 'two']);
    await sandbox.client().chat.postMessage({ channel: 'C0ALERTS', text: 'elsewhere' });
    await sandbox
      .client('xoxb-sandbox-globex')
      .chat.postMessage({ channel: 'C0GENERAL', text: 'other workspace' });
    expect(await texts()).toEqual(['two', 'one']);
  });

  it('lies between oldest and latest, which count only when inclusive', async () => {
    const [first, , third] = await post(['one', 'two', 'three']);
    expect(await texts({ oldest: first, latest: third })).toEqual(['two']);
    expect(await texts({ oldest: first, latest: third, inclusive: true })).toEqual(['three', 'two', 'one']);
  });

  it('comes in pages', async () => {
    await post(['one', 'two', 'three']);
    const client = sandbox.client();
    const page = await client.conversations.history({ channel: 'C0GENERAL', limit: 2 });
    expect(page).toMatchObject({ has_more: true, messages: [{ text: 'three' }, { text: 'two' }] });
    const cursor = page.response_metadata?.next_cursor ?? '';
    expect(await client.conversations.history({ channel: 'C0GENERAL', limit: 2, cursor })).toMatchObject({
      has_more: false,
      messages: [{ text: 'one' }],
    });
  });

  it('tells metadata only when asked for it', async () => {
    const metadata = { event_type: 'stanza_message', event_payload: { key: 'k-1' } };
    await post(['one'], { metadata });
    const client = sandbox.client();
    const bare = await client.conversations.history({ channel: 'C0GENERAL' });
    expect(bare.messages?.[0]?.metadata).toBeUndefined();
    const full = await client.conversations.history({ channel: 'C0GENERAL', include_all_metadata: true });
    expect(full.messages?.[0]?.metadata).toEqual(metadata);
  });

  it('leaves replies to the thread, unless they were broadcast', async () => {
    const [ts = ''] = await post(['question']);
    await post(['answer'], { thread_ts: ts });
    await post(['loud answer'], { thread_ts: ts, reply_broadcast: true });
    expect(await texts()).toEqual(['loud answer', 'question']);
    const thread = await sandbox.client().conversations.replies({ channel: 'C0GENERAL', ts });
    expect(thread.messages?.map(({ text }) => text)).toEqual(['question', 'answer', 'loud answer']);
  });

  it('is refused where the bot is not a member, and for bad windows', async () => {
    const read = (args: Record<string, unknown>) =>
      rejection(sandbox.client().apiCall('conversations.history', { channel: 'C0GENERAL', ...args }));
    expect(await read({ channel: 'C0SECRET' })).toEqual(platformError('not_in_channel'));
    expect(await read({ oldest: 'x' })).toEqual(platformError('invalid_ts_oldest'));
    expect(await read({ latest: 'x' })).toEqual(platformError('invalid_ts_latest'));
    expect(await read({ limit: 1_000 })).toEqual(platformError('invalid_limit'));
    expect(await read({ cursor: 'x' })).toEqual(platformError('invalid_cursor'));
  });
});
