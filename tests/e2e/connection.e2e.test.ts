import { describe, expect, it } from '@jest/globals';
import {
  deleteChatConnection,
  getChatConnection,
  installChatConnection,
  listAuditLog,
  revokeApiKey,
  sendTemplate,
  testChatConnection,
} from '@stanza/contracts';
import { v7 } from 'uuid';
import type { Api } from '../kit/api.ts';
import { channelsOf } from '../kit/channels.ts';
import { Installer } from '../kit/installer.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { sharedByTests } from '../kit/shared.ts';
import { openWorld } from '../kit/stack.ts';
import { liveTemplate } from '../kit/templates.ts';
import { waitFor } from '../kit/wait.ts';

const channels = channelsOf('connection');

describe('connecting a workspace through the chat platform', () => {
  const person = new Installer();
  const world = sharedByTests(openWorld);

  /** An organization that is connected to nothing, and its owner's way to the API. */
  const newcomer = async (): Promise<{ organization: TestOrganization; api: Api }> => {
    const organization = await world().newOrganization({ connected: false });
    return { organization, api: world().api.with((await organization.key()).key) };
  };
  const newWorkspace = (): string => `w${v7().replaceAll('-', '')}`;
  const begin = async (api: Api): Promise<string> => (await api.ok(installChatConnection)).url;
  const stateOf = (api: Api) => api.get('/v1/chat-connection');

  it('goes by the screen, a page that names the organization, and its button; then messages are posted', async () => {
    const { api } = await newcomer();
    const { id: template_id } = await liveTemplate(api);
    const message = { template_id, data: { service: 'api', version: '1' }, channel_id: channels.at(0) };
    expect(await api.post('/v1/templates/send', message)).toMatchObject({
      status: 409,
      body: { code: 'chat_not_connected' },
    });

    const workspace = newWorkspace();
    const back = await person.decide(await begin(api), workspace);
    expect(back.startsWith(`${world().api.base}/v1/chat/oauth/callback?`)).toBe(true);
    const page = await person.open(back);
    expect(page.status).toBe(200);
    expect(page.html).toMatch(/Connect w\w+ to Test [\w-]+\?/);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect((await stateOf(api)).status).toBe(404);

    expect((await person.press(back, page)).html).toContain(`${workspace} is connected`);
    expect(await api.ok(getChatConnection)).toMatchObject({
      state: 'active',
      source: 'install',
      workspace_name: workspace,
    });
    expect(await api.ok(sendTemplate, { body: message })).toMatchObject({ success: true });
    const posted = await world().sandbox.messages(channels.at(0));
    expect(posted.map((it) => it.workspace)).toContain(`T${workspace.toUpperCase()}`);
  });

  it('is on record in the audit log as what the key that began it has done', async () => {
    const { api } = await newcomer();
    const back = await person.decide(await begin(api), newWorkspace());
    await person.press(back, await person.open(back));
    const line = await waitFor('the line in the audit log', async () => {
      const { data } = await api.ok(listAuditLog);
      return data.find((it) => it.action === 'chat_connection.put') ?? false;
    });
    expect(line).toMatchObject({ actor: { type: 'api_key' }, environment: 'production' });
  });

  it('accepts a state once', async () => {
    const { api } = await newcomer();
    const back = await person.decide(await begin(api), newWorkspace());
    const page = await person.open(back);
    const again = await person.open(back);
    expect(again.status).toBe(409);
    expect(again.html).toContain('invalid_state');
    expect(again.html).not.toContain('<form');
    expect((await person.press(back, page)).status).toBe(200);
  });

  it('accepts neither a state nor the button after its expiry', async () => {
    const { organization, api } = await newcomer();
    const expire = () =>
      world().database.query(
        'update delivery.chat_installs set expires_at = now() where organization_id = $1',
        [organization.id],
      );
    const late = await person.decide(await begin(api), newWorkspace());
    const back = await person.decide(await begin(api), newWorkspace());
    const page = await person.open(back);
    await expire();
    expect((await person.open(late)).status).toBe(409);
    expect((await person.press(back, page)).status).toBe(409);
    expect((await stateOf(api)).status).toBe(404);
  });

  it('of a session of another organization connects only that organization', async () => {
    const { organization, api } = await newcomer();
    const other = await newcomer();
    const session = world().api.with((await other.organization.session()).token);
    const workspace = newWorkspace();
    // The state alone says whose it is: what else is in the address changes nothing.
    const back = `${await person.decide(await begin(session), workspace)}&organization_id=${organization.id}`;
    const page = await person.open(back);
    await person.press(back, page);
    expect(await session.ok(getChatConnection)).toMatchObject({ workspace_name: workspace });
    expect((await stateOf(api)).status).toBe(404);
  });

  it('ends with the key that began it', async () => {
    const { organization, api } = await newcomer();
    const made = await organization.key();
    const back = await person.decide(await begin(world().api.with(made.key)), newWorkspace());
    await api.ok(revokeApiKey, { params: { id: made.id } });
    const refused = await person.open(back);
    expect([refused.status, refused.html]).toEqual([403, expect.stringContaining('access_denied')]);
    expect((await stateOf(api)).status).toBe(404);
  });

  it('of one environment leaves the other as it is', async () => {
    const { organization, api } = await newcomer();
    const preview = world().api.with((await organization.key({ environment: 'preview' })).key);
    const back = await person.decide(await begin(preview), newWorkspace());
    const page = await person.open(back);
    expect(page.html).toContain('preview environment');
    await person.press(back, page);
    expect((await stateOf(preview)).status).toBe(200);
    expect((await stateOf(api)).status).toBe(404);
  });

  it('answers programs in JSON when something is wrong', async () => {
    const state = 'A'.repeat(43);
    expect(await world().api.get(`/v1/chat/oauth/callback?state=${state}&code=c`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state', request_id: expect.any(String) },
    });
    expect(await world().api.post(`/v1/chat/oauth/confirm?token=${state}`)).toMatchObject({
      status: 409,
      body: { code: 'invalid_state' },
    });
  });

  it('is marked as revoked by a send, and works again after another connection', async () => {
    const { api } = await newcomer();
    const { id: template_id } = await liveTemplate(api);
    const send = () =>
      api.post('/v1/templates/send', {
        template_id,
        data: { service: 'api', version: '1' },
        channel_id: channels.at(1),
      });
    const workspace = newWorkspace();
    const connect = async () => {
      const back = await person.decide(await begin(api), workspace);
      await person.press(back, await person.open(back));
    };
    await connect();
    await world().sandbox.revoke(`T${workspace.toUpperCase()}`);
    expect(await send()).toMatchObject({ status: 409, body: { code: 'chat_not_connected' } });
    expect(await api.ok(getChatConnection)).toMatchObject({ state: 'revoked', refusal: 'token_revoked' });
    await connect();
    expect(await api.ok(testChatConnection)).toMatchObject({ state: 'active' });
    expect((await send()).status).toBe(200);
    expect(await api.ok(deleteChatConnection)).toMatchObject({ success: true, revoked: true });
    expect((await stateOf(api)).status).toBe(404);
  });
});
