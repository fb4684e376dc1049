import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SignJWT, UnsecuredJWT } from 'jose';
import { TestProvider } from '../../testing/identity-provider.ts';

const organization = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';

describe('a session token', () => {
  let provider: TestProvider;

  beforeEach(() => {
    provider = new TestProvider();
  });

  const expectRefused = (token: string, message: RegExp) =>
    expect(provider.verify(token)).rejects.toMatchObject({
      code: 'invalid_token',
      message: expect.stringMatching(message),
    });

  it('identifies the person, their organization and environment', async () => {
    const token = await provider.sign({
      email: 'ada@example.com',
      email_verified: true,
      organization_id: organization,
      environment: 'preview',
      azp: 'console',
    });
    expect(await provider.verify(token)).toEqual({
      person: {
        issuer: 'https://identity.example.com',
        subject: 'ada',
        email: 'ada@example.com',
        email_verified: true,
        issued_at: '2026-11-21T08:00:00.000Z',
        expires_at: '2026-11-21T08:01:00.000Z',
        client_id: 'console',
      },
      organizationId: organization,
      environment: 'preview',
      isForAgents: false,
      expiresAt: Date.parse('2026-11-21T08:01:05.000Z'),
    });
  });

  it.each([
    ['from another issuer', { iss: 'https://other.example.com' }, /issuer/],
    ['without an issuer', { iss: undefined }, /issuer/],
    ['for another audience', { aud: ['other'] }, /audience/],
    ['without an audience', { aud: undefined }, /audience/],
    ['without a subject', { sub: undefined }, /claim sub/],
    ['with a subject that cannot be stored', { sub: 'a\u0000b' }, /claim sub/],
    ['without an expiry', { exp: undefined }, /claim exp/],
    ['with an expiry beyond the calendar', { exp: 1e300 }, /claim exp/],
    ['that has expired', { exp: 1_000 }, /expired/],
    ['that is not valid yet', { nbf: 9_999_999_999 }, /not valid yet/],
    ['whose organization is not an id', { organization_id: 'acme' }, /claim organization_id/],
    ['of an environment in capitals', { environment: 'Preview' }, /claim environment/],
    ['of an unknown environment', { environment: 'staging' }, /claim environment/],
    ['of an environment in a list', { environment: ['preview'] }, /claim environment/],
    ['of an environment that is no text', { environment: 1 }, /claim environment/],
  ])('%s is refused', async (_, changed, message) => {
    await expectRefused(await provider.sign(changed), message);
  });

  it.each([undefined, 'JWT', 'jwt', 'application/JWT', 'at+jwt', 'AT+JWT', 'application/at+jwt'])(
    'of the type %s is accepted',
    async (typ) => {
      const token = await provider.sign({}, provider.current, typ);
      expect(await provider.verify(token)).toHaveProperty('person.subject', 'ada');
    },
  );

  it.each([
    'logout+jwt',
    'application/logout+jwt',
    'dpop+jwt',
    'secevent+jwt',
    'id_token+jwt',
    'at+jwt2',
    '',
  ])('of the type %j is refused, since the provider issued it for another purpose', async (typ) => {
    await expectRefused(await provider.sign({}, provider.current, typ), /names another type/);
  });

  it('that reports an event is refused, whatever its type', async () => {
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    await expectRefused(await provider.sign({ events }, provider.current, 'JWT'), /reports an event/);
  });

  it('without a signature is refused', async () => {
    await expectRefused(new UnsecuredJWT(provider.claims()).encode(), /cannot be read|not accepted/);
  });

  it("signed with the provider's public key as a shared secret is refused", async () => {
    const { kid, publicKey } = provider.current;
    for (const secret of [
      publicKey.export({ format: 'pem', type: 'spki' }).toString(),
      JSON.stringify(publicKey.export({ format: 'jwk' })),
    ]) {
      const token = await new SignJWT(provider.claims())
        .setProtectedHeader({ alg: 'HS256', kid })
        .sign(Buffer.from(secret));
      await expectRefused(token, /not accepted/);
    }
  });

  it("signed with a foreign key under the id of a provider's key is refused", async () => {
    const other = new TestProvider();
    const token = await provider.sign({}, { ...other.current, kid: provider.current.kid });
    await expectRefused(token, /not signed by a key/);
  });

  it('whose claims were changed after signing is refused', async () => {
    const [header, , signature] = (await provider.sign()).split('.');
    const forged = Buffer.from(JSON.stringify(provider.claims({ sub: 'eve' }))).toString('base64url');
    await expectRefused(`${header}.${forged}.${signature}`, /not signed by a key/);
  });

  it('of random characters in the right form is refused', async () => {
    const part = fc.oneof(
      fc.base64String(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    );
    await fc.assert(
      fc.asyncProperty(part, part, part, async (header, payload, signature) => {
        const tried = provider.verify(`${header}.${payload}.${signature}`);
        await expect(tried).rejects.toMatchObject({ code: 'invalid_token' });
      }),
    );
  });

  it('is refused from its expiry on, with a small clock tolerance, even if it was verified before', async () => {
    const token = await provider.sign();
    await provider.verify(token);
    provider.clock.pass(64_999);
    await provider.verify(token);
    provider.clock.pass(1);
    await expectRefused(token, /expired/);
    await expectRefused(await provider.sign({ exp: provider.clock.now().getTime() / 1000 - 5 }), /expired/);
  });

  it('is accepted although the clock of the provider differs slightly', async () => {
    const now = provider.clock.now().getTime() / 1000;
    for (const claims of [{ exp: now - 4 }, { nbf: now + 4 }]) {
      expect(await provider.verify(await provider.sign(claims))).toHaveProperty('person.subject', 'ada');
    }
  });

  it('is of production, unless its claim says preview', async () => {
    for (const environment of [undefined, null, 'production']) {
      const session = await provider.verify(await provider.sign({ environment }));
      expect(session.environment).toBe('production');
    }
  });

  it('is for agents where its audience is theirs, whatever else it is for', async () => {
    for (const aud of ['agents', ['agents', 'stanza']]) {
      expect((await provider.verify(await provider.sign({ aud }))).isForAgents).toBe(true);
    }
    for (const aud of ['stanza', ['stanza', 'other']]) {
      expect((await provider.verify(await provider.sign({ aud }))).isForAgents).toBe(false);
    }
  });

  it('yields its organization id in lower case', async () => {
    const token = await provider.sign({ organization_id: organization.toUpperCase() });
    expect((await provider.verify(token)).organizationId).toBe(organization);
  });

  it.each([
    [{}, null, false],
    [{ email: 'ada@example.com' }, 'ada@example.com', false],
    [{ email: 'ada@example.com', email_verified: 'true' }, 'ada@example.com', false],
    [{ email: 'no address', email_verified: true }, null, false],
  ])(
    'of %j has a verified address only where the provider says so explicitly',
    async (claims, email, verified) => {
      const { person } = await provider.verify(await provider.sign(claims));
      expect([person.email, person.email_verified]).toEqual([email, verified]);
    },
  );
});
