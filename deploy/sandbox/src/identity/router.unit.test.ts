import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyResult, jwtVerify } from 'jose';
import { defaultIdentity } from '../settings.ts';
import { type StartedSandbox, startedSandbox } from '../testing/started-sandbox.ts';

const secret = 'a secret of the provider'.replaceAll(' ', '-');

describe('the identity provider', () => {
  let sandbox: StartedSandbox;
  beforeEach(async () => {
    sandbox = await startedSandbox({ identity: { ...defaultIdentity, secret } });
  });
  afterEach(() => sandbox.close());

  const post = (path: string, body: object, shown = secret) =>
    fetch(`${sandbox.url}/identity/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shown}` },
      body: JSON.stringify(body),
    });

  const token = async (input: object): Promise<string> => {
    const answer: { access_token: string } = JSON.parse(await (await post('token', input)).text());
    return answer.access_token;
  };

  const published = async (): Promise<JSONWebKeySet> =>
    JSON.parse(await (await fetch(`${sandbox.url}/identity/.well-known/jwks.json`)).text());

  const verified = async (jwt: string): Promise<JWTVerifyResult> =>
    jwtVerify(jwt, createLocalJWKSet(await published()), defaultIdentity);

  it('signs the requested claims, for an hour, with a published key', async () => {
    const person = {
      subject: 'ada',
      email: 'ada@example.com',
      organization_id: 'o-1',
      environment: 'preview',
    };
    const { payload } = await verified(await token(person));
    const { iss, aud, iat = 0, exp, ...claims } = payload;
    expect([iss, aud]).toEqual([defaultIdentity.issuer, defaultIdentity.audience]);
    expect(exp).toBe(iat + 3_600);
    expect(claims).toEqual({
      sub: 'ada',
      email: 'ada@example.com',
      email_verified: true,
      organization_id: 'o-1',
      environment: 'preview',
    });
  });

  it('has no claims about an address when none is given', async () => {
    const { payload } = await verified(await token({ subject: 'ada' }));
    expect(payload).not.toHaveProperty('email_verified');
  });

  it('issues tokens that should be refused', async () => {
    const expired = await token({ subject: 'ada', expires_in: -60 });
    await expect(verified(expired)).rejects.toMatchObject({ code: 'ERR_JWT_EXPIRED' });
    const foreign = await token({ subject: 'ada', claims: { iss: 'https://other.example.com' } });
    await expect(verified(foreign)).rejects.toMatchObject({ claim: 'iss' });
  });

  it.each(['token', 'rotate'])('issues no %s for a request without its secret', async (path) => {
    const before = await published();
    const input = { method: 'POST', body: JSON.stringify({ subject: 'ada' }) };
    const refused = [await fetch(`${sandbox.url}/identity/${path}`, input), await post(path, {}, 'another')];
    expect(refused.map(({ status }) => status)).toEqual([401, 401]);
    expect(await published()).toEqual(before);
  });

  it('issues no token when it has no secret', async () => {
    const closed = await startedSandbox();
    try {
      const init = {
        method: 'POST',
        headers: { authorization: 'Bearer undefined' },
        body: '{"subject":"ada"}',
      };
      const refused = await fetch(`${closed.url}/identity/token`, init);
      expect([refused.status, await refused.text()]).toEqual([
        403,
        expect.stringContaining('no_identity_secret'),
      ]);
    } finally {
      await closed.close();
    }
  });

  it('publishes no private key', async () => {
    for (const key of (await published()).keys) expect(key).not.toHaveProperty('d');
  });

  it('keeps publishing the former key after a rotation, unless told otherwise', async () => {
    const first = await token({ subject: 'ada' });
    await post('rotate', {});
    const second = await token({ subject: 'ada' });
    await verified(first);
    await verified(second);
    await post('rotate', { keep: false });
    await verified(await token({ subject: 'ada' }));
    for (const old of [first, second]) {
      await expect(verified(old)).rejects.toMatchObject({ code: 'ERR_JWKS_NO_MATCHING_KEY' });
    }
  });

  it('names the problem of a request', async () => {
    const refused = await post('token', { subject: '', emial: 'ada@example.com' });
    expect(refused.status).toBe(400);
    const answer: { error: string; message: string } = JSON.parse(await refused.text());
    expect(answer.error).toBe('invalid_token');
    expect(answer.message).toMatch(/subject.*emial/);
  });
});
