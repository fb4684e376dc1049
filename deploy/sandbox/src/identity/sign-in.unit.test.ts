import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { z } from 'zod';
import { startSandbox } from '../sandbox.ts';
import { defaultIdentity } from '../settings.ts';
import { consoleClientId } from './clients.ts';

const secret = 'a-secret-of-the-provider';
const redirectUri = 'http://127.0.0.1:8787/console/auth/callback';
const verifier = 'a-verifier-of-at-least-forty-three-characters-in-all';
const asked = {
  client_id: consoleClientId,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid email offline_access',
  state: 'state-1',
  nonce: 'nonce-1',
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 'S256',
};

const tokens = z.object({ access_token: z.string(), id_token: z.string(), refresh_token: z.string() });

describe('signing in at the identity provider', () => {
  let now: number;
  let base: string;
  let close: () => Promise<void>;
  beforeEach(async () => {
    now = Date.parse('2026-11-22T08:00:00Z');
    const sandbox = await startSandbox({ identity: { ...defaultIdentity, secret }, now: () => now });
    base = `${sandbox.url}/identity`;
    close = sandbox.close;
  });
  afterEach(() => close());

  const screen = (more: object = {}) =>
    fetch(`${base}/authorize?${new URLSearchParams({ ...asked, ...more })}`);
  const confirm = (more: object = {}, headers: Record<string, string> = {}) =>
    fetch(`${base}/authorize`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ ...asked, subject: 'olivia@acme-rockets.example', ...more }),
      redirect: 'manual',
    });
  const codeFor = async (): Promise<string> =>
    new URL((await confirm()).headers.get('location') ?? '').searchParams.get('code') ?? '';
  const exchange = (fields: Record<string, string>, shown = secret) =>
    fetch(`${base}/oauth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${consoleClientId}:${shown}`).toString('base64')}` },
      body: new URLSearchParams(fields),
    });
  const forCode = (code: string, more: object = {}) => ({
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code_verifier: verifier,
    code,
    ...more,
  });
  const signedIn = async () => tokens.parse(await (await exchange(forCode(await codeFor()))).json());
  const renewed = (refresh_token: string) => exchange({ grant_type: 'refresh_token', refresh_token });

  it('names its endpoints where it is asked', async () => {
    const found: unknown = await (await fetch(`${base}/.well-known/openid-configuration`)).json();
    expect(found).toMatchObject({
      issuer: defaultIdentity.issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/oauth/token`,
    });
  });

  it('shows the people of the demo, and leads back with code, state and issuer', async () => {
    expect(await (await screen()).text()).toContain('Continue as Olivia');
    const response = await confirm();
    expect(response.status).toBe(303);
    const back = new URL(response.headers.get('location') ?? '');
    expect(`${back.origin}${back.pathname}`).toBe(redirectUri);
    expect(back.searchParams.get('state')).toBe('state-1');
    expect(back.searchParams.get('iss')).toBe(defaultIdentity.issuer);
  });

  it('gives the service a token and the client one with its nonce', async () => {
    const { access_token, id_token } = await signedIn();
    const published: JSONWebKeySet = JSON.parse(await (await fetch(`${base}/.well-known/jwks.json`)).text());
    const keys = createLocalJWKSet(published);
    const { payload } = await jwtVerify(access_token, keys, {
      ...defaultIdentity,
      currentDate: new Date(now),
    });
    expect(payload).toMatchObject({ sub: 'olivia@acme-rockets.example', email_verified: true });
    const id = await jwtVerify(id_token, keys, {
      issuer: defaultIdentity.issuer,
      audience: consoleClientId,
      currentDate: new Date(now),
    });
    expect(id.payload.nonce).toBe('nonce-1');
  });

  it('takes a code once', async () => {
    const code = await codeFor();
    expect((await exchange(forCode(code))).status).toBe(200);
    expect((await exchange(forCode(code))).status).toBe(400);
  });

  it.each([
    ['another verifier', { code_verifier: 'another-verifier-of-at-least-forty-three-characters' }],
    ['another address', { redirect_uri: 'http://127.0.0.1:1/console/auth/callback' }],
  ])('refuses a code with %s', async (_, more) => {
    expect((await exchange(forCode(await codeFor(), more))).status).toBe(400);
  });

  it('refuses a code that is a minute old, and a client with a wrong secret', async () => {
    const code = await codeFor();
    expect((await exchange(forCode(code), 'wrong')).status).toBe(401);
    now += 61_000;
    expect((await exchange(forCode(code))).status).toBe(400);
  });

  it('renews a sign-in once for each refresh token, until the person is removed', async () => {
    const { refresh_token } = await signedIn();
    const next = tokens.parse(await (await renewed(refresh_token)).json());
    expect(decodeJwt(next.id_token).nonce).toBeUndefined();
    expect((await renewed(refresh_token)).status).toBe(400);
    const ended = await fetch(`${base}/end`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      body: JSON.stringify({ subject: 'olivia@acme-rockets.example' }),
    });
    expect(await ended.json()).toEqual({ ended: 1 });
    expect((await renewed(next.refresh_token)).status).toBe(400);
  });

  it.each([
    ['an address elsewhere', { redirect_uri: 'https://elsewhere.example/callback' }],
    ['no challenge', { code_challenge: '' }],
    ['another application', { client_id: 'unknown' }],
  ])('redirects nowhere for a request with %s', async (_, more) => {
    expect((await screen(more)).status).toBe(400);
    const response = await confirm(more);
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });

  it('refuses a form that another site sends', async () => {
    expect((await confirm({}, { 'sec-fetch-site': 'cross-site' })).status).toBe(400);
  });
});
