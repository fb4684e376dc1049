import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApiKey, listAuditLog } from '@stanza/contracts';
import { v7 } from 'uuid';
import { ConsoleBrowser } from '../kit/console-browser.ts';
import type { MadeSession, TestOrganization } from '../kit/organization.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { waitFor } from '../kit/wait.ts';

const sessionCookie = 'stanza_session';

describe('signing in to the console', () => {
  let world: World;
  let organization: TestOrganization;
  let owner: MadeSession;

  beforeAll(async () => {
    world = await openWorld();
    organization = await world.newOrganization({ connected: false });
    owner = await organization.session();
  });
  afterAll(() => world.close());

  const browser = (): ConsoleBrowser => new ConsoleBrowser(world.api.base);
  const inOrganization = (id = organization.id, environment = 'production') => ({
    headers: { 'x-stanza-organization': id, 'x-stanza-environment': environment },
  });
  const signedIn = async (): Promise<ConsoleBrowser> => {
    const person = browser();
    await person.signIn(owner.subject);
    return person;
  };
  const templatesOf = (person: ConsoleBrowser, id?: string) =>
    person.call('/v1/templates', inOrganization(id));
  const codeOf = async (response: Response): Promise<unknown> => {
    const body: unknown = await response.json();
    return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
  };

  it('leads through the provider back to the page, with a cookie that scripts cannot read', async () => {
    const person = browser();
    const response = await person.signIn(owner.subject, '/console/x/production/templates');
    expect([response.status, response.headers.get('location')]).toEqual([
      303,
      '/console/x/production/templates',
    ]);
    const set = response.headers.getSetCookie().find((cookie) => cookie.startsWith(sessionCookie));
    expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await templatesOf(person)).status).toBe(200);
    expect(await (await person.call('/console/auth/session')).json()).toMatchObject({ kind: 'person' });
  });

  it('is refused to a person who has done so sixty times in a minute, and to no other', async () => {
    const { subject } = await organization.session({ role: 'viewer' });
    const statuses: number[] = [];
    for (let time = 0; time < 61; time += 1) statuses.push((await browser().signIn(subject)).status);
    expect(statuses).toEqual([...Array<number>(60).fill(303), 429]);
    expect((await browser().signIn(owner.subject)).status).toBe(303);
  });

  it('acts as the person alone, in organizations they are a member of', async () => {
    const person = await signedIn();
    const other = await world.newOrganization({ connected: false });
    const refused = await templatesOf(person, other.id);
    expect([refused.status, await codeOf(refused)]).toEqual([403, 'access_denied']);
    const shown = await person.call('/v1/auth/validate', inOrganization());
    expect(await shown.json()).toMatchObject({ valid: true, user: { id: owner.userId } });
  });

  it('returns to the start where the address to return to lies outside the console', async () => {
    const outside = ['https://elsewhere.example/', '/console//elsewhere.example', '/docs'];
    const returns = await Promise.all(outside.map((address) => browser().signIn(owner.subject, address)));
    expect(returns.map(({ headers }) => headers.get('location'))).toEqual(outside.map(() => '/console/'));
  });

  describe('refuses a return', () => {
    const callback = async (change: (address: URL) => void, person = browser()): Promise<number> => {
      const address = await person.chooseAtProvider(owner.subject);
      change(address);
      const { status } = await person.open(address.href);
      expect(person.cookies.has(sessionCookie)).toBe(false);
      return status;
    };

    it('with another state', async () => {
      expect(await callback((address) => address.searchParams.set('state', 'another'))).toBe(400);
    });

    it('from another issuer', async () => {
      expect(await callback((address) => address.searchParams.set('iss', 'https://other.example'))).toBe(400);
    });

    it('with a code of another sign-in', async () => {
      const other = await browser().chooseAtProvider(owner.subject);
      const code = other.searchParams.get('code') ?? '';
      expect(await callback((address) => address.searchParams.set('code', code))).toBe(400);
    });

    it.each([
      ['nonce', 'nonce', 'of-another-sign-in'],
      ['PKCE challenge', 'code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
    ])('to a sign-in whose %s was changed on its way to the provider', async (_, field, value) => {
      const person = browser();
      const address = await person.chooseAtProvider(owner.subject, undefined, (fields) =>
        fields.set(field, value),
      );
      expect(address.searchParams.has('code')).toBe(true);
      expect((await person.open(address.href)).status).toBe(400);
      expect(person.cookies.has(sessionCookie)).toBe(false);
    });

    it('to a browser that has begun no sign-in, and the second time it is opened', async () => {
      const person = browser();
      const address = await person.chooseAtProvider(owner.subject);
      expect((await browser().open(address.href)).status).toBe(400);
      expect((await person.open(address.href)).status).toBe(303);
      expect((await person.open(address.href)).status).toBe(400);
    });
  });

  it('gives a new cookie to one who had one, whose session ends', async () => {
    const person = await signedIn();
    const before = person.cookies.get(sessionCookie) ?? '';
    await person.signIn(owner.subject);
    expect(person.cookies.get(sessionCookie)).not.toBe(before);
    const old = browser();
    old.cookies.set(sessionCookie, before);
    expect((await templatesOf(old)).status).toBe(401);
  });

  it('takes no cookie that the gateway has not made', async () => {
    const person = browser();
    person.cookies.set(sessionCookie, 'fixed-by-somebody-else');
    expect((await templatesOf(person)).status).toBe(401);
  });

  describe('counts no cookie', () => {
    const from = async (headers: Record<string, string>): Promise<[number, unknown]> => {
      const person = await signedIn();
      const response = await person.open('/v1/templates', {
        headers: { ...inOrganization().headers, ...headers },
      });
      return [response.status, await codeOf(response)];
    };

    it.each([
      ['a link or a form of another page', { 'sec-fetch-site': 'cross-site' }],
      ['a fetch of another origin', { 'sec-fetch-site': 'cross-site', 'x-stanza-console': '1' }],
      ['a fetch of another port', { 'sec-fetch-site': 'same-site', 'x-stanza-console': '1' }],
      [
        'a browser that names another origin',
        { origin: 'https://elsewhere.example', 'x-stanza-console': '1' },
      ],
      ['a request that names no origin', { 'x-stanza-console': '1' }],
      ['a link of our own page', { 'sec-fetch-site': 'same-origin' }],
    ])('of %s', async (_, headers) => {
      expect(await from(headers)).toEqual([401, 'unauthenticated']);
    });

    it('beside a key', async () => {
      const { key } = await organization.key();
      const person = await signedIn();
      const response = await person.call('/v1/templates', { headers: { authorization: `Bearer ${key}` } });
      expect([response.status, await codeOf(response)]).toEqual([401, 'unauthenticated']);
    });
  });

  it('ends everywhere when the person signs out', async () => {
    const person = await signedIn();
    const elsewhere = browser();
    elsewhere.cookies.set(sessionCookie, person.cookies.get(sessionCookie) ?? '');
    expect((await templatesOf(elsewhere)).status).toBe(200);
    expect((await person.call('/console/auth/sign-out', { method: 'POST' })).status).toBe(200);
    expect(person.cookies.has(sessionCookie)).toBe(false);
    const refused = await templatesOf(elsewhere);
    expect([refused.status, await codeOf(refused)]).toEqual([401, 'invalid_token']);
    const api = world.api.with((await organization.key()).key);
    await waitFor('the session to stand in the audit log', async () => {
      const { data } = await api.ok(listAuditLog, { query: { user_id: owner.userId } });
      const actions = data.map(({ action }) => action);
      return actions.includes('console_session.signed_in') && actions.includes('console_session.signed_out');
    });
  });

  it('is not ended by a form of another page', async () => {
    const person = await signedIn();
    const response = await person.open('/console/auth/sign-out', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
    });
    expect(response.status).toBe(401);
    expect((await templatesOf(person)).status).toBe(200);
  });

  it('ends once the provider no longer vouches for the person', async () => {
    const { subject } = await organization.session({ role: 'member' });
    const person = browser();
    await person.signIn(subject);
    await world.identity.end(subject);
    await world.database.query(
      `update gateway.console_sessions
       set vouched_until = now() - interval '1 second'
       where subject = $1`,
      [subject],
    );
    expect((await templatesOf(person)).status).toBe(401);
  });

  it('goes on with a new refresh token while the provider vouches, for requests at one moment too', async () => {
    const { subject } = await organization.session({ role: 'viewer' });
    const person = browser();
    await person.signIn(subject);
    for (const _ of [1, 2]) {
      await world.database.query(
        `update gateway.console_sessions
         set vouched_until = now() - interval '1 second'
         where subject = $1`,
        [subject],
      );
      const answers = await Promise.all([1, 2, 3, 4].map(() => templatesOf(person)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
  });

  it.each([
    ['twelve hours without use', "seen_at = now() - interval '12 hours 1 second'"],
    ['seven days', "expires_at = now() - interval '1 second'"],
  ])('ends after %s', async (_, set) => {
    const { subject } = await organization.session({ role: 'admin' });
    const person = browser();
    await person.signIn(subject);
    await world.database.query(`update gateway.console_sessions set ${set} where subject = $1`, [subject]);
    expect((await templatesOf(person)).status).toBe(401);
  });

  describe('with an API key', () => {
    const withKey = (person: ConsoleBrowser, key: string): Promise<Response> =>
      person.call('/console/auth/key', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ key }),
      });

    it('acts as that key, in its organization and environment, with its scopes', async () => {
      const { key } = await organization.key({ environment: 'preview', scopes: ['templates:read'] });
      const person = browser();
      expect((await withKey(person, key)).status).toBe(200);
      expect((await templatesOf(person)).status).toBe(200);
      const refused = await person.call('/v1/queues', inOrganization());
      expect([refused.status, await codeOf(refused)]).toEqual([403, 'insufficient_scope']);
    });

    it('is refused from an address that the key is not bound to', async () => {
      const admin = world.api.with((await organization.key({ role: 'admin' })).key);
      const { key } = await admin.ok(createApiKey, {
        body: { name: 'Bound', scopes: ['templates:read'], allowed_addresses: ['203.0.113.0/24'] },
      });
      const person = browser();
      const refused = await withKey(person, key);
      expect([refused.status, await codeOf(refused), person.cookies.has(sessionCookie)]).toEqual([
        403,
        'access_denied',
        false,
      ]);
    });

    it.each([
      ['mistyped', 'stz_live_mistyped'],
      ['unknown', v7()],
    ])('is refused when the key is %s', async (_, key) => {
      const person = browser();
      expect((await withKey(person, key)).status).toBe(401);
      expect(person.cookies.has(sessionCookie)).toBe(false);
    });
  });

  describe('answers a page', () => {
    const sessionOf = async (person: ConsoleBrowser): Promise<unknown> =>
      (await person.call('/console/auth/session')).json();

    it('that nobody is signed in once the session has ended, and takes the cookie away', async () => {
      const { subject } = await organization.session({ role: 'member' });
      const person = browser();
      await person.signIn(subject);
      await world.database.query('delete from gateway.console_sessions where subject = $1', [subject]);
      expect(await sessionOf(person)).toEqual({ kind: 'none' });
      expect(person.cookies.has(sessionCookie)).toBe(false);
    });

    it('the same once the key of the session is revoked', async () => {
      const { key, id } = await organization.key();
      const person = browser();
      await person.call('/console/auth/key', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ key }),
      });
      expect(await sessionOf(person)).toEqual({ kind: 'key' });
      const revoked = await world.api.with(key).request('DELETE', `/v1/api-keys/${id}`);
      expect(revoked.status).toBe(200);
      expect(await sessionOf(person)).toEqual({ kind: 'none' });
    });

    it('that nobody is signed in when the key that encrypted the refresh token is gone', async () => {
      const { subject } = await organization.session({ role: 'viewer' });
      const person = browser();
      await person.signIn(subject);
      await world.database.query(
        `update gateway.console_sessions
         set refresh_key_id = 'gone', vouched_until = now() - interval '1 second'
         where subject = $1`,
        [subject],
      );
      expect(await sessionOf(person)).toEqual({ kind: 'none' });
    });
  });

  it('lets the key of another page of the origin count, such as the documentation', async () => {
    const { key } = await organization.key();
    const person = await signedIn();
    const response = await person.open('/v1/templates', { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
  });

  it.each([
    ['a body that is too large', { body: JSON.stringify({ key: 'x'.repeat(5_000) }) }, 413],
    ['a body in an unknown encoding', { body: '{}', encoding: 'unknown' }, 415],
    ['a body that is not JSON', { body: '{' }, 400],
    ['a body without a key', { body: '{}' }, 400],
  ])(
    'refuses %s as a key with a coded error',
    async (_, { body, encoding }: { body: string; encoding?: string }, status) => {
      const response = await browser().call('/console/auth/key', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(encoding && { 'content-encoding': encoding }) },
        body,
      });
      expect([response.status, await codeOf(response)]).toEqual([
        status,
        status === 415 ? 'unsupported_media_type' : 'invalid_request',
      ]);
    },
  );

  it('keeps fifty sessions of a person, and ends the oldest for a new one', async () => {
    const { subject } = await organization.session({ role: 'admin' });
    const first = browser();
    await first.signIn(subject);
    await world.database.query(
      `insert into gateway.console_sessions
         (digest, issuer, subject, email_verified, created_at, seen_at, expires_at, vouched_until)
       select sha256(('filler ' || subject || n)::bytea), issuer, subject, false, now() + n * interval '1 ms', now(), expires_at, vouched_until
       from gateway.console_sessions, generate_series(1, 49) as n
       where subject = $1`,
      [subject],
    );
    expect((await templatesOf(first)).status).toBe(200);
    await browser().signIn(subject);
    expect((await templatesOf(first)).status).toBe(401);
  });

  it('stores neither the cookie nor the refresh token in the clear', async () => {
    const person = await signedIn();
    const { rows } = await world.database.query('select * from gateway.console_sessions');
    const stored = JSON.stringify(rows.map((row) => Object.values(row).map(String)));
    expect(stored).not.toContain(person.cookies.get(sessionCookie));
    expect(rows.length).toBeGreaterThan(0);
  });
});
