import { describe, expect, it } from '@jest/globals';
import { newApiKey, type Principal, validateToken } from '@stanza/contracts';
import type { Credentials } from '../access/credentials.ts';
import { newRequestContext } from '../testing/request-context.ts';
import { type AuthenticationRules, authenticate } from './authenticate.ts';

const own = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';
const other = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e10';

const holder: Principal = {
  organization_id: own,
  environment: 'preview',
  actor: { type: 'api_key', id: 'ci' },
  role: 'member',
  scopes: ['messages:create'],
};

const credentials: Credentials = {
  findKey: async () => ({ principal: holder, allowed: [] }),
  verifySession: undefined,
  findMember: async () => undefined,
};

describe('a request with an API key', () => {
  const acting = async (sent: Record<string, string>, rules?: AuthenticationRules) => {
    const requestContext = newRequestContext({ ...validateToken, access: 'any_token' }, { sent });
    await authenticate(credentials, rules)(requestContext);
    return requestContext.principal;
  };
  const authorization = `Bearer ${newApiKey('preview')}`;

  it.each<[Record<string, string>]>([
    [{}],
    [{ 'x-stanza-environment': 'preview' }],
    [{ 'x-stanza-organization': own.toUpperCase(), 'x-stanza-environment': 'preview' }],
  ])('A key acts in its own place with the headers %j', async (headers) => {
    expect(await acting({ authorization, ...headers })).toEqual(holder);
  });

  it.each<[Record<string, string>]>([
    [{ 'x-stanza-environment': 'production' }],
    [{ 'x-stanza-organization': other }],
  ])('A key is refused with the headers %j, which name another place', async (headers) => {
    await expect(acting({ authorization, ...headers })).rejects.toMatchObject({
      code: 'access_denied',
      facts: { user_scopes: holder.scopes },
    });
  });

  it('A key is refused with headers that name no place', async () => {
    const noPlaces: Record<string, string>[] = [
      { 'x-stanza-environment': 'staging' },
      { 'x-stanza-organization': 'acme' },
    ];
    for (const headers of noPlaces)
      await expect(acting({ authorization, ...headers })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('A key acts in its own place for a page of the console, which may not know that place yet', async () => {
    const consoleHolder = async () => ({ kind: 'key' as const, keyDigest: 'digest' });
    const sent = { cookie: 'session=1', 'x-stanza-environment': 'production' };
    expect(await acting(sent, { consoleHolder })).toEqual(holder);
  });
});
