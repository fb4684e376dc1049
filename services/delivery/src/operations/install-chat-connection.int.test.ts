import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PersonPage, Principal } from '@stanza/contracts';
import { newContext } from '@stanza/runtime';
import type { CallRecord } from '@stanza/sandbox';
import { sharedByTests } from '@stanza/test-kit/shared';
import { anotherProcess, ask, openWorld, refusalOf, send, somebody } from '../testing/world.ts';
import { chatOauthCallback } from './chat-oauth-callback.ts';
import { confirmChatConnection } from './confirm-chat-connection.ts';
import { deleteChatConnection } from './delete-chat-connection.ts';
import { getChatConnection } from './get-chat-connection.ts';
import { getMessage } from './get-message.ts';
import { installChatConnection } from './install-chat-connection.ts';
import { replaceChatConnection } from './replace-chat-connection.ts';
import { testChatConnection } from './test-chat-connection.ts';

const minutes = (count: number): number => count * 60_000;

describe('an installation through the chat platform', () => {
  const world = sharedByTests(openWorld);
  beforeEach(() => {
    world().others.answers.actor = { organization_name: 'Acme Rockets', may: true };
  });

  /** A call whose caller waits for 15 seconds by the clock of the world, which tests move ahead. */
  const contextOf = (principal?: Principal) => ({
    ...newContext({ deadlineMs: 15_000, ...(principal && { principal }) }),
    deadline: world().clock.monotonic() + 15_000,
  });
  const begin = async (principal: Principal): Promise<URL> =>
    new URL((await ask(installChatConnection(world()), {}, principal)).url);
  const stateOf = (address: URL): string => address.searchParams.get('state') ?? '';

  /** What a person does on the screen of the platform; answers what the browser brings back. */
  const decide = async (address: URL, workspace: string, decision = 'allow') => {
    const form = new URLSearchParams(address.searchParams);
    form.set('workspace', workspace);
    form.set('decision', decision);
    const response = await fetch(`${world().sandbox.url}/oauth/v2/authorize`, {
      method: 'POST',
      body: form,
      redirect: 'manual',
    });
    const back = new URL(response.headers.get('location') ?? '');
    return Object.fromEntries(back.searchParams);
  };
  const comeBack = (query: object) => ask(chatOauthCallback(world()), { query }, undefined, contextOf());
  const tokenOf = ({ action }: PersonPage): string =>
    new URLSearchParams(action?.href.split('?')[1]).get('token') ?? '';
  const press = (page: PersonPage) =>
    ask(confirmChatConnection(world()), { query: { token: tokenOf(page) } }, undefined, contextOf());
  /** How often the platform was asked for a token. */
  const exchanges = async (): Promise<number> => {
    const calls: CallRecord[] = JSON.parse(
      await (await fetch(`${world().sandbox.url}/control/calls`)).text(),
    );
    return calls.filter((call) => call.method === 'oauth.v2.access').length;
  };
  const get = (principal: Principal) => ask(getChatConnection(world()), {}, principal);
  /** As far as the page that asks. */
  const asked = async (principal: Principal, workspace: string): Promise<PersonPage> =>
    comeBack(await decide(await begin(principal), workspace));

  it('connects once the button was pressed, and not before', async () => {
    const principal = somebody();
    const page = await asked(principal, 'initech');
    expect(page.title).toBe('Connect initech to Acme Rockets?');
    expect(page.text.join(' ')).toContain('production environment of Acme Rockets');
    expect(await refusalOf(get(principal))).toMatchObject({ code: 'not_found' });
    expect(await press(page)).toMatchObject({ title: 'initech is connected', action: null });
    expect(await get(principal)).toMatchObject({
      state: 'active',
      source: 'install',
      workspace_id: 'TINITECH',
      scopes: ['chat:write', 'im:write'],
    });
    const { message_id: id } = await send(world(), principal, undefined, contextOf(principal));
    expect(await ask(getMessage(world()), { params: { id } }, principal)).toMatchObject({
      permalink: expect.stringContaining('/archives/'),
    });
  });

  it('connects a workspace that does not say where it is, until a test of it finds out', async () => {
    const principal = somebody();
    const page = await asked(principal, 'nowhere');
    await world().misbehave({ method: 'auth.test', mode: 'error', value: 'missing_scope', times: 1 });
    expect(await press(page)).toMatchObject({ title: 'nowhere is connected' });
    const { message_id: id } = await send(world(), principal, undefined, contextOf(principal));
    const read = () => ask(getMessage(world()), { params: { id } }, principal);
    expect(await read()).not.toHaveProperty('permalink');
    await ask(testChatConnection(world()), {}, principal, contextOf(principal));
    expect(await read()).toHaveProperty('permalink');
  });

  it('An installation connects with a token that works where a connection of its workspace is deleted before the button is pressed', async () => {
    const [leaving, coming] = [somebody(), somebody()];
    await press(await asked(leaving, 'shared-app'));
    const page = await asked(coming, 'shared-app');
    const deleted = await ask(deleteChatConnection(world()), {}, leaving, contextOf(leaving));
    expect(deleted).toMatchObject({ success: true, revoked: false });
    await press(page);
    expect(await ask(testChatConnection(world()), {}, coming, contextOf(coming))).toMatchObject({
      state: 'active',
    });
  });

  it('An installation whose token is revoked before the button is pressed leaves the connection as it was', async () => {
    const principal = somebody();
    await press(await asked(principal, 'in-use'));
    const page = await asked(principal, 'withdrawn');
    await fetch(`${world().sandbox.url}/control/revocations`, {
      method: 'POST',
      body: JSON.stringify({ workspace: 'TWITHDRAWN' }),
    });
    expect(await refusalOf(press(page))).toMatchObject({
      code: 'chat_not_connected',
      facts: { error_details: '"token_revoked"' },
    });
    expect(await get(principal)).toMatchObject({ state: 'active', workspace_id: 'TIN-USE' });
    await decide(await begin(somebody()), 'withdrawn').then(comeBack);
    expect(await press(page)).toMatchObject({ title: 'withdrawn is connected' });
  });

  it('is on record as the change of whoever began it', async () => {
    const principal = somebody();
    await press(await asked(principal, 'audited'));
    const lines = await world().rows<{ payload: object }>(
      `select payload
       from outbox
       where subject = 'work.organization.record-audit' and payload ->> 'organization_id' = $1
       order by id`,
      [principal.organization_id],
    );
    expect(lines.map((line) => line.payload)).toMatchObject([
      {
        action: 'chat_connection.put',
        actor: principal.actor,
        environment: 'production',
        changes: { workspace_id: 'TAUDITED', source: 'install' },
      },
    ]);
  });

  it('pressed twice, and by two at once, connects once', async () => {
    const principal = somebody();
    const page = await asked(principal, 'twice');
    const done = await Promise.all([press(page), press(page)]);
    const { id } = await get(principal);
    expect([...done, await press(page)].map((it) => it.title)).toEqual(Array(3).fill('twice is connected'));
    expect((await get(principal)).id).toBe(id);
    const [count] = await world().rows<{ lines: number }>(
      "select count(*) as lines from outbox where payload ->> 'organization_id' = $1",
      [principal.organization_id],
    );
    expect(count).toEqual({ lines: 1 });
  });

  it('names the workspace that would be replaced', async () => {
    const principal = somebody();
    await ask(
      replaceChatConnection(world()),
      { body: { bot_token: 'xoxb-sandbox-former' } },
      principal,
      contextOf(principal),
    );
    const page = await asked(principal, 'latter');
    expect(page.text).toContain('This replaces its connection to the workspace former.');
    expect(await get(principal)).toMatchObject({ workspace_name: 'former' });
    await press(page);
    expect(await get(principal)).toMatchObject({ workspace_name: 'latter', source: 'install' });
  });

  it('takes a state once, also when it comes back twice at the same time', async () => {
    const back = await decide(await begin(somebody()), 'acme');
    const before = await exchanges();
    const results = await Promise.allSettled([comeBack(back), comeBack(back)]);
    expect(results.map((it) => it.status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await exchanges()).toBe(before + 1);
    const again = await refusalOf(comeBack(back));
    const never = await refusalOf(comeBack({ ...back, state: 'A'.repeat(43) }));
    expect(again).toMatchObject({ code: 'invalid_state' });
    expect(String(again)).toBe(String(never));
  });

  it('ends ten minutes after it was begun, and ten after the page was shown', async () => {
    const late = await begin(somebody());
    const principal = somebody();
    const page = await asked(principal, 'late');
    world().clock.jump(minutes(10));
    const code = 'invalid_state';
    expect(await refusalOf(comeBack({ state: stateOf(late), code: 'c' }))).toMatchObject({ code });
    expect(await refusalOf(press(page))).toMatchObject({ code });
    expect(await refusalOf(get(principal))).toMatchObject({ code: 'not_found' });
  });

  it('ends with the access of whoever began it, at either step', async () => {
    const back = await decide(await begin(somebody()), 'acme');
    const principal = somebody();
    const page = await asked(principal, 'ended');
    world().others.answers.actor.may = false;
    const code = 'access_denied';
    expect(await refusalOf(comeBack(back))).toMatchObject({ code });
    expect(await refusalOf(press(page))).toMatchObject({ code });
    expect(await refusalOf(get(principal))).toMatchObject({ code: 'not_found' });
  });

  it('asks whether the very one who began it still may, in their own organization and environment', async () => {
    const principal = somebody({ environment: 'preview' });
    await asked(principal, 'whose');
    const { organization_id, environment, actor } = principal;
    expect(world().others.calls.findLast((it) => it.operation === 'describe-actor')?.input).toEqual({
      organization_id,
      environment,
      actor,
      scope: 'connections:write',
    });
  });

  it('connects nothing when the person declines', async () => {
    const principal = somebody();
    const back = await decide(await begin(principal), 'acme', 'deny');
    expect(back).toMatchObject({ error: 'access_denied' });
    expect(await comeBack(back)).toMatchObject({ title: 'Nothing was connected', action: null });
    expect(await refusalOf(comeBack(back))).toMatchObject({ code: 'invalid_state' });
    expect(await refusalOf(get(principal))).toMatchObject({ code: 'not_found' });
  });

  it('The page of an installation that the platform refuses names its error, and none that a person has declined', async () => {
    const back = { state: stateOf(await begin(somebody())), error: 'server_error' };
    expect(await comeBack(back)).toMatchObject({
      title: 'Nothing was connected',
      text: [expect.stringContaining('server_error')],
    });
    const declined = await comeBack(await decide(await begin(somebody()), 'acme', 'deny'));
    expect(declined.text).toEqual([expect.stringContaining('was not allowed')]);
  });

  it('The page of a refused installation shows no sentence that a link brings in place of an error', async () => {
    const error = 'E17: call 555 0100 or sign in at https://login.example';
    const { text } = await comeBack({ state: stateOf(await begin(somebody())), error });
    expect(text).toEqual([expect.stringMatching(/connected no workspace to [^,]*\. You can start again\.$/)]);
  });

  it('says why the platform gave no token, and has used up its state', async () => {
    const state = stateOf(await begin(somebody()));
    expect(await refusalOf(comeBack({ state, code: 'invented' }))).toMatchObject({
      code: 'chat_api_error',
      facts: { error_details: '"invalid_code"' },
    });
    expect(await refusalOf(comeBack({ state, code: 'invented' }))).toMatchObject({ code: 'invalid_state' });
  });

  it('asks for the token once, even when the answer is lost', async () => {
    await world().misbehave({ method: 'oauth.v2.access', mode: 'reset_after', times: 1 });
    const back = await decide(await begin(somebody()), 'acme');
    const before = await exchanges();
    expect(await refusalOf(comeBack(back))).toMatchObject({ code: 'chat_api_error' });
    expect(await exchanges()).toBe(before + 1);
  });

  it('answers misconfigured where the platform does not know the app, or no app is set up', async () => {
    await world().misbehave({
      method: 'oauth.v2.access',
      mode: 'error',
      value: 'bad_client_secret',
      times: 1,
    });
    const back = await decide(await begin(somebody()), 'acme');
    const code = 'misconfigured';
    expect(await refusalOf(comeBack(back))).toMatchObject({ code });
    const without = anotherProcess(world(), { app: {} });
    expect(await refusalOf(ask(installChatConnection(without), {}, somebody()))).toMatchObject({ code });
    await without.chat.close();
  });

  it('of an environment is followed by twenty others at most', async () => {
    const principal = somebody();
    const first = await begin(principal);
    for (let count = 0; count < 20; count += 1) await begin(principal);
    expect(await refusalOf(comeBack(await decide(first, 'acme')))).toMatchObject({ code: 'invalid_state' });
  });

  it('keeps neither state, nor token, nor what the button brings back in clear', async () => {
    const address = await begin(somebody());
    const back = await decide(address, 'secretive');
    const page = await comeBack(back);
    const tables = async (): Promise<string> => {
      const [row] = await world().rows<{ content: string }>(
        "select string_agg(install::text, '') as content from chat_installs as install",
      );
      return (row?.content ?? '') + world().logged();
    };
    const secrets = [stateOf(address), tokenOf(page), 'xoxb-sandbox-secretive', back.code ?? ''];
    for (const secret of secrets) {
      expect(await tables()).not.toContain(secret);
      expect(await tables()).not.toContain(Buffer.from(secret).toString('hex'));
    }
    await press(page);
    const [held] = await world().rows<{ tokens: number }>(
      "select count(token_ciphertext) as tokens from chat_installs where workspace_name = 'secretive'",
    );
    expect(held).toEqual({ tokens: 0 });
  });
});
