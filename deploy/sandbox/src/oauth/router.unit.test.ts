import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startSandbox } from '../sandbox.ts';
import { defaultApp } from '../settings.ts';

const redirectUri = 'https://stanza.example/v1/chat/oauth/callback';
const minutes = (count: number): number => count * 60_000;

describe('granting the app a workspace', () => {
  let now: number;
  let url: string;
  let close: () => Promise<void>;
  beforeEach(async () => {
    now = Date.parse('2026-11-21T08:00:00Z');
    ({ url, close } = await startSandbox({ now: () => now }));
  });
  afterEach(() => close());

  const asked = {
    client_id: defaultApp.clientId,
    scope: 'chat:write,im:write',
    redirect_uri: redirectUri,
    state: 'state-1',
  };
  const screen = (more: object = {}) =>
    fetch(`${url}/oauth/v2/authorize?${new URLSearchParams({ ...asked, ...more })}`);
  const decide = (more: object = {}) =>
    fetch(`${url}/oauth/v2/authorize`, {
      method: 'POST',
      body: new URLSearchParams({ ...asked, workspace: 'acme', decision: 'allow', ...more }),
      redirect: 'manual',
    });
  const backOf = (response: Response): URL => new URL(response.headers.get('location') ?? '');
  const codeFor = async (workspace: string): Promise<string> =>
    backOf(await decide({ workspace })).searchParams.get('code') ?? '';
  const call = async (method: string, args: Record<string, string>): Promise<unknown> =>
    (await fetch(`${url}/api/${method}`, { method: 'POST', body: new URLSearchParams(args) })).json();
  const exchange = (code: string, more: Record<string, string> = {}) =>
    call('oauth.v2.access', {
      client_id: defaultApp.clientId,
      client_secret: defaultApp.clientSecret,
      redirect_uri: redirectUri,
      code,
      ...more,
    });

  it('shows the requested scopes, and may redirect only to the app', async () => {
    const response = await screen();
    const html = await response.text();
    expect([response.status, html]).toEqual([200, expect.stringContaining('<code>im:write</code>')]);
    expect(response.headers.get('content-security-policy')).toContain(
      "form-action 'self' https://stanza.example;",
    );
  });

  it('shows values of the address as text', async () => {
    const html = await (await screen({ scope: '<script>', state: '"><script>' })).text();
    expect(html).not.toContain('<script');
  });

  it.each([
    ['an unknown app', { client_id: 'other' }],
    ['no scope', { scope: '' }],
    ['an invalid address', { redirect_uri: 'javascript:alert(1)' }],
  ])('refuses %s, without a redirect', async (_, more) => {
    for (const response of [await screen(more), await decide(more)]) {
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
      await response.text();
    }
  });

  it('sends the browser back with a code, for which the app gets the token of the workspace', async () => {
    const back = backOf(await decide());
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
    expect(back.searchParams.get('state')).toBe('state-1');
    expect(await exchange(back.searchParams.get('code') ?? '')).toMatchObject({
      ok: true,
      access_token: 'xoxb-sandbox-acme',
      bot_user_id: 'U0STANZA',
      scope: 'chat:write,im:write',
      team: { id: 'TACME', name: 'acme' },
    });
  });

  it('sends the browser back with the reason when the person declines', async () => {
    const back = backOf(await decide({ decision: 'deny' }));
    expect(Object.fromEntries(back.searchParams)).toEqual({ error: 'access_denied', state: 'state-1' });
  });

  it('gives the token once for a code, within ten minutes, to the app alone', async () => {
    const code = await codeFor('acme');
    expect(await exchange(code, { client_secret: 'guessed' })).toMatchObject({ error: 'bad_client_secret' });
    expect(await exchange(code, { client_id: 'other' })).toMatchObject({ error: 'invalid_client_id' });
    expect(await exchange(code, { redirect_uri: 'https://evil.example/' })).toMatchObject({
      error: 'bad_redirect_uri',
    });
    expect(await exchange(code)).toMatchObject({ ok: true });
    expect(await exchange(code)).toMatchObject({ error: 'code_already_used' });
    const late = await codeFor('acme');
    now += minutes(10);
    expect(await exchange(late)).toMatchObject({ error: 'invalid_code' });
  });

  it('grants again after auth.revoke', async () => {
    const token = 'xoxb-sandbox-acme';
    await exchange(await codeFor('acme'));
    expect(await call('auth.revoke', { token, test: 'true' })).toEqual({ ok: true, revoked: false });
    expect(await call('auth.revoke', { token })).toEqual({ ok: true, revoked: true });
    expect(await call('auth.test', { token })).toEqual({ ok: false, error: 'token_revoked' });
    await exchange(await codeFor('acme'));
    expect(await call('auth.test', { token })).toMatchObject({ ok: true });
  });
});
