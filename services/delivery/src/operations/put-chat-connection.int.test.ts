import { describe, expect, it } from '@jest/globals';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import {
  anotherProcess,
  ask,
  connected,
  newChannel,
  openWorld,
  refusalOf,
  send,
  somebody,
  testKeys,
} from '../testing/world.ts';
import { putChatConnection } from './put-chat-connection.ts';

const newerKey = `k3:${Buffer.alloc(32, 3).toString('base64')}`;

describe('put-chat-connection', () => {
  const world = sharedByTests(openWorld);

  const put = (organization_id: string, bot_token: string, environment = 'production') =>
    ask(putChatConnection(world()), { organization_id, environment, bot_token });
  const stored = (organizationId: string) =>
    world().rows<{ id: string; environment: string; workspace_id: string; token_key_id: string }>(
      'select * from chat_connections where organization_id = $1 order by environment',
      [organizationId],
    );

  it('asks the platform whom the token speaks for, and stores that', async () => {
    const organization = uuidv7();
    const reply = await put(organization, 'xoxb-sandbox-acme');
    expect(reply).toEqual({ workspace_id: 'TACME', workspace_name: 'acme', bot_user_id: 'U0STANZA' });
    expect(await stored(organization)).toMatchObject([
      { environment: 'production', workspace_id: 'TACME', token_key_id: 'k2' },
    ]);
  });

  it('puts each change on record for the audit log', async () => {
    const organization = uuidv7();
    await put(organization, 'xoxb-sandbox-acme', 'preview');
    await refusalOf(put(organization, 'xoxb-revoked-acme'));
    const lines = await world().rows<{ payload: object }>(
      `select payload
       from outbox
       where subject = 'work.organization.record-audit'
         and payload ->> 'organization_id' = $1`,
      [organization],
    );
    expect(lines.map((line) => line.payload)).toMatchObject([
      {
        action: 'chat_connection.put',
        environment: 'preview',
        actor: { type: 'system', id: 'operator' },
        changes: { workspace_id: 'TACME', workspace_name: 'acme' },
      },
    ]);
  });

  it('keeps one connection for each environment, the last one put', async () => {
    const organization = uuidv7();
    await put(organization, 'xoxb-sandbox-one');
    await put(organization, 'xoxb-sandbox-two');
    await put(organization, 'xoxb-sandbox-three', 'preview');
    expect((await stored(organization)).map((row) => row.workspace_id)).toEqual(['TTHREE', 'TTWO']);
  });

  it.each(['xoxb-revoked-acme', 'no-token-at-all'])('refuses %j and keeps the one before', async (token) => {
    const organization = uuidv7();
    await put(organization, 'xoxb-sandbox-acme');
    expect(await refusalOf(put(organization, token))).toMatchObject({ code: 'chat_not_connected' });
    expect(await stored(organization)).toMatchObject([{ workspace_id: 'TACME' }]);
  });

  it('lets a process read with an older key, and write with the newest', async () => {
    const principal = await connected(world());
    const rotated = anotherProcess(world(), { keys: `${newerKey},${testKeys}` });
    expect(await send(rotated, principal)).toMatchObject({ success: true });
    await connected(rotated, principal);
    expect(await stored(principal.organization_id)).toMatchObject([{ token_key_id: 'k3' }]);
    expect(await refusalOf(send(world(), principal))).toMatchObject({ code: 'chat_token_decrypt_failed' });
    await rotated.chat.close();
  });

  it('stores a token that is worthless in any other row', async () => {
    const [owner, thief] = [await connected(world()), await connected(world())];
    await world().rows(
      `update chat_connections as theirs
       set token_ciphertext = mine.token_ciphertext
       from chat_connections as mine
       where theirs.organization_id = $1
         and mine.organization_id = $2`,
      [thief.organization_id, owner.organization_id],
    );
    expect(await refusalOf(send(world(), thief))).toMatchObject({ code: 'chat_token_decrypt_failed' });
    expect(await send(world(), owner)).toMatchObject({ success: true });
  });

  it('has no token in clear in any table, and none in the log; nor any content', async () => {
    const principal = await connected(world());
    const email = 'user1900@example.com';
    await world().misbehave({ method: 'users.lookupByEmail', mode: 'status', value: 500, times: 1 });
    await send(world(), principal, { recipient_email: email });
    await refusalOf(send(world(), principal, { channel_id: 'C0SECRET' }));
    const channel = newChannel();
    await world().misbehave({ method: 'chat.postMessage', channel, mode: 'reset_after' });
    await send(world(), principal, { channel_id: channel });
    await refusalOf(put(somebody().organization_id, 'xoxb-sandbox-!!'));
    const tables = await world().rows<{ content: string }>(
      `select string_agg(content, '') as content
       from (select message::text as content from messages as message
             union all select connection::text from chat_connections as connection
             union all select row::text from outbox as row) as everything`,
    );
    const places = [world().logged(), tables[0]?.content ?? ''];
    expect(places.map((place) => place.length > 1_000)).toEqual([true, true]);
    for (const place of places) {
      expect(place).not.toContain('xoxb-');
      expect(place).not.toContain(Buffer.from('xoxb-').toString('hex'));
      expect(place).not.toContain('1.4.2 is live');
    }
    expect(world().logged()).not.toContain(email);
  });
});
