import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@stanza/contracts';
import { withinOrganizations } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { eventsOf, subscribe } from '../testing/events.ts';
import {
  anotherProcess,
  ask,
  connected,
  openWorld,
  refusalOf,
  refusePost,
  send,
  somebody,
} from '../testing/world.ts';
import { deleteChatConnection } from './delete-chat-connection.ts';
import { getChatConnection } from './get-chat-connection.ts';
import { replaceChatConnection } from './replace-chat-connection.ts';
import { testChatConnection } from './test-chat-connection.ts';

/** None of the keys that the world's tokens are encrypted with. */
const otherKeys = `k9:${Buffer.alloc(32, 9).toString('base64')}`;

describe('the chat connection of an environment', () => {
  const world = sharedByTests(openWorld);

  const get = (principal: Principal) => ask(getChatConnection(world()), {}, principal);
  const put = (principal: Principal, bot_token: string) =>
    ask(replaceChatConnection(world()), { body: { bot_token } }, principal);
  const test = (principal: Principal) => ask(testChatConnection(world()), {}, principal);
  const remove = (principal: Principal) => ask(deleteChatConnection(world()), {}, principal);
  const workspaceOf = ({ organization_id }: Principal): string => `T${organization_id.toUpperCase()}`;
  const revokeAtPlatform = (principal: Principal) =>
    fetch(`${world().sandbox.url}/control/revocations`, {
      method: 'POST',
      body: JSON.stringify({ workspace: workspaceOf(principal) }),
    });
  const install = (principal: Principal) =>
    world().rows("update chat_connections set source = 'install' where organization_id = $1", [
      principal.organization_id,
    ]);
  const audited = async ({ organization_id }: Principal): Promise<string[]> => {
    const rows = await world().rows<{ action: string }>(
      `select payload ->> 'action' as action
       from outbox
       where subject = 'work.organization.record-audit' and payload ->> 'organization_id' = $1
       order by id`,
      [organization_id],
    );
    return rows.map((row) => row.action);
  };

  it('is not there at first', async () => {
    const nobody = somebody();
    expect(await refusalOf(get(nobody))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(remove(nobody))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(test(nobody))).toMatchObject({ code: 'chat_not_connected' });
  });

  it('tells the workspace, the bot and what the token allows, and never the token', async () => {
    const principal = somebody();
    const made = await put(principal, 'xoxb-sandbox-tell');
    expect(made).toMatchObject({
      state: 'active',
      source: 'token',
      workspace_id: 'TTELL',
      workspace_name: 'tell',
      bot_user_id: 'U0STANZA',
      scopes: expect.arrayContaining(['chat:write', 'users:read.email']),
      refusal: null,
    });
    expect(await get(principal)).toEqual(made);
    expect(JSON.stringify(made)).not.toContain('xoxb');
  });

  it('is of one environment alone', async () => {
    const principal = somebody();
    await put(principal, 'xoxb-sandbox-live');
    const preview: Principal = { ...principal, environment: 'preview' };
    expect(await refusalOf(get(preview))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(remove(preview))).toMatchObject({ code: 'not_found' });
    expect(await get(principal)).toMatchObject({ workspace_id: 'TLIVE' });
  });

  it('is the same after the same token was put again, and another after another', async () => {
    const principal = somebody();
    const first = await put(principal, 'xoxb-sandbox-twice');
    const again = await put(principal, 'xoxb-sandbox-twice');
    expect(again.id).toBe(first.id);
    expect(await audited(principal)).toEqual(['chat_connection.put']);
    const other = await put(principal, 'xoxb-sandbox-other');
    expect(other.id).not.toBe(first.id);
    expect(await audited(principal)).toEqual(['chat_connection.put', 'chat_connection.put']);
  });

  it('stays as it is when the platform refuses the token that should replace it', async () => {
    const principal = somebody();
    const made = await put(principal, 'xoxb-sandbox-stays');
    expect(await refusalOf(put(principal, 'xoxb-revoked-new'))).toMatchObject({
      code: 'chat_not_connected',
      facts: { error_details: '"token_revoked"' },
    });
    expect(await get(principal)).toEqual(made);
  });

  it('is revoked once a post meets a dead token, and then nothing is tried with it', async () => {
    const principal = await connected(world());
    await revokeAtPlatform(principal);
    expect(await refusalOf(send(world(), principal))).toMatchObject({ code: 'chat_not_connected' });
    expect(await get(principal)).toMatchObject({ state: 'revoked', refusal: 'token_revoked' });
    const calls = world().others.calls.length;
    expect(await refusalOf(send(world(), principal))).toMatchObject({
      code: 'chat_not_connected',
      facts: { error_details: '"token_revoked"' },
    });
    expect(
      world()
        .others.calls.slice(calls)
        .map((call) => call.operation),
    ).toEqual(['render-template']);
  });

  it('is revoked with one event, however many sends meet the dead token', async () => {
    const principal = await connected(world());
    await subscribe(world(), principal, ['connection.revoked']);
    await revokeAtPlatform(principal);
    await Promise.allSettled([1, 2, 3].map(() => send(world(), principal)));
    const { id } = await get(principal);
    expect(await eventsOf(world(), principal)).toMatchObject([
      {
        type: 'connection.revoked',
        data: { connection_id: id, workspace_id: workspaceOf(principal), refusal: 'token_revoked' },
      },
    ]);
  });

  it('is revoked with all others that hold the same token, and with none that hold another', async () => {
    const principal = await connected(world());
    const preview: Principal = { ...principal, environment: 'preview' };
    const neighbour = somebody();
    await put(preview, `xoxb-sandbox-${principal.organization_id}`);
    // The workspace is the same, by a token of its own.
    await put(neighbour, `xoxb-sandbox-${principal.organization_id.toUpperCase()}`);
    const channel = 'C1998';
    await refusePost(world(), channel, 'account_inactive');
    await refusalOf(send(world(), principal, { channel_id: channel }));
    expect((await get(principal)).state).toBe('revoked');
    expect((await get(preview)).state).toBe('revoked');
    expect((await get(neighbour)).state).toBe('active');
    expect((await get(neighbour)).workspace_id).toBe((await get(principal)).workspace_id);
  });

  it('is revoked for other organizations with the same token, though a call reaches its own alone', async () => {
    const principal = await connected(world());
    const other = somebody();
    await put(other, `xoxb-sandbox-${principal.organization_id}`);
    await revokeAtPlatform(principal);
    await withinOrganizations([principal.organization_id], () => refusalOf(send(world(), principal)));
    expect((await get(principal)).state).toBe('revoked');
    expect((await get(other)).state).toBe('revoked');
  });

  it('is revoked as well when a lookup is what meets the dead token', async () => {
    const principal = await connected(world());
    await revokeAtPlatform(principal);
    await refusalOf(send(world(), principal, { recipient_email: 'user1901@example.com' }));
    expect(await get(principal)).toMatchObject({ state: 'revoked', refusal: 'token_revoked' });
  });

  it('stays active when the platform refuses one call for what the token may not do', async () => {
    const principal = await connected(world());
    const channel = 'C1999';
    await refusePost(world(), channel, 'missing_scope');
    expect(await refusalOf(send(world(), principal, { channel_id: channel }))).toMatchObject({
      code: 'chat_not_connected',
    });
    expect(await get(principal)).toMatchObject({ state: 'active' });
  });

  it('is noticed as revoked by a test, and active again by one after the platform takes the token again', async () => {
    const principal = await connected(world());
    await world().misbehave({ method: 'auth.test', mode: 'error', value: 'account_inactive', times: 1 });
    expect(await refusalOf(test(principal))).toMatchObject({
      code: 'chat_not_connected',
      facts: { error_details: '"account_inactive"' },
    });
    expect(await get(principal)).toMatchObject({ state: 'revoked', refusal: 'account_inactive' });
    expect(await test(principal)).toMatchObject({ state: 'active', refusal: null });
    expect(await send(world(), principal)).toMatchObject({ success: true });
  });

  it('is as it was after a test for which the platform was away', async () => {
    const principal = await connected(world());
    const before = await get(principal);
    await world().misbehave({ method: 'auth.test', mode: 'error', value: 'no_such_thing', times: 1 });
    expect(await refusalOf(test(principal))).toMatchObject({ code: 'chat_api_error' });
    expect(await get(principal)).toEqual(before);
  });

  it('is unreadable to a process without its key, which says so everywhere', async () => {
    const principal = await connected(world());
    const stranger = anotherProcess(world(), { keys: otherKeys });
    expect(await ask(getChatConnection(stranger), {}, principal)).toMatchObject({ state: 'unreadable' });
    const code = 'chat_token_decrypt_failed';
    expect(await refusalOf(ask(testChatConnection(stranger), {}, principal))).toMatchObject({ code });
    // The request may be repeated with its idempotency key once the key is back.
    const facts = { nothing_done: true };
    expect(await refusalOf(send(stranger, principal))).toMatchObject({ code, facts });
    await stranger.chat.close();
  });

  it('ends with its deletion, which leaves a token that was given as it is', async () => {
    const principal = await connected(world());
    const { id } = await get(principal);
    expect(await remove(principal)).toEqual({ success: true, id, revoked: false });
    expect(await refusalOf(get(principal))).toMatchObject({ code: 'not_found' });
    expect(await refusalOf(send(world(), principal))).toMatchObject({ code: 'chat_not_connected' });
    expect(await audited(principal)).toEqual(['chat_connection.put', 'chat_connection.deleted']);
    expect(await put(principal, `xoxb-sandbox-${principal.organization_id}`)).toMatchObject({
      state: 'active',
    });
  });

  it('that was installed revokes its token at the platform with its deletion', async () => {
    const principal = await connected(world());
    await install(principal);
    expect(await remove(principal)).toMatchObject({ revoked: true });
    const token = `xoxb-sandbox-${principal.organization_id}`;
    expect(await refusalOf(put(principal, token))).toMatchObject({ code: 'chat_not_connected' });
  });

  it('that shares its workspace with another one leaves the token to that', async () => {
    const principal = await connected(world());
    const preview: Principal = { ...principal, environment: 'preview' };
    await put(preview, `xoxb-sandbox-${principal.organization_id}`);
    await install(principal);
    expect(await remove(principal)).toMatchObject({ revoked: false });
    expect(await send(world(), preview)).toMatchObject({ success: true });
    expect(await remove(preview)).toMatchObject({ revoked: true });
  });
});
