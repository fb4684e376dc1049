import { describe, expect, it } from '@jest/globals';
import {
  apiKeyDigest,
  type Environment,
  getTemplate,
  newApiKey,
  type Principal,
  promoteTemplates,
} from '@stanza/contracts';
import type { Credentials } from '../access/credentials.ts';
import { newRequestContext } from '../testing/request-context.ts';
import { authenticateSource } from './authenticate.ts';
import { authorizeReplay } from './authorize.ts';

const holderIn = (organization_id: string, environment: Environment): Principal => ({
  organization_id,
  environment,
  actor: { type: 'api_key', id: `${organization_id} ${environment}` },
  role: 'viewer',
  scopes: ['templates:read'],
});

const keys = { own: newApiKey('preview'), foreign: newApiKey('preview') };
const holders = new Map([
  [apiKeyDigest(keys.own), holderIn('acme', 'preview')],
  [apiKeyDigest(keys.foreign), holderIn('beacon', 'preview')],
]);

const credentials: Credentials = {
  findKey: async (digest) => {
    const principal = holders.get(digest);
    if (!principal) throw new Error('an unknown key is asked for');
    return { principal, allowed: [] };
  },
  verifySession: undefined,
  findMember: async () => undefined,
};

describe('the key of the environment that is read from', () => {
  const sourceOf = async (
    header: string | undefined,
    operation: typeof promoteTemplates | typeof getTemplate,
  ) => {
    const sent: Record<string, string> = header === undefined ? {} : { 'x-source-authorization': header };
    const principal = holderIn('acme', 'production');
    const requestContext = newRequestContext(operation, { sent, principal });
    await authenticateSource(credentials)(requestContext);
    return requestContext.context.source;
  };

  it('goes along with the request', async () => {
    expect(await sourceOf(`Bearer ${keys.own}`, promoteTemplates)).toEqual(holderIn('acme', 'preview'));
  });

  it('is not asked for, and not looked at where the operation reads from one environment', async () => {
    expect(await sourceOf(undefined, promoteTemplates)).toBeUndefined();
    expect(await sourceOf('', promoteTemplates)).toBeUndefined();
    expect(await sourceOf(`Bearer ${keys.own}`, getTemplate)).toBeUndefined();
  });

  it('is one of the same organization', async () => {
    await expect(sourceOf(`Bearer ${keys.foreign}`, promoteTemplates)).rejects.toMatchObject({
      code: 'access_denied',
      message: 'The key in X-Source-Authorization belongs to another organization.',
    });
  });

  it.each([
    ['nonsense', 'unauthenticated', /form `Bearer <API key>`/],
    ['Bearer stz_live_mistyped', 'invalid_token', /mistyped/],
    ['Bearer a.b.c', 'invalid_token', /takes an API key; a request with a session needs none/],
  ])('as %j is refused', async (header, code, message) => {
    await expect(sourceOf(header, promoteTemplates)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });
});

describe('a request under an idempotency key', () => {
  const admit = (
    principal: Principal,
    source?: Principal,
    sent: Record<string, string> = { 'idempotency-key': 'a' },
  ) => {
    const requestContext = newRequestContext(promoteTemplates, { sent, principal });
    if (source) requestContext.context.source = source;
    return () => authorizeReplay(requestContext);
  };
  const key = holderIn('acme', 'production');
  const session: Principal = { ...key, actor: { type: 'session', id: 'ada' } };
  const refused = expect.objectContaining({ code: 'access_denied' });

  it('is for those who may read the other environment: by its key, or as a person', () => {
    expect(admit(key, holderIn('acme', 'preview'))).not.toThrow();
    expect(admit(session)).not.toThrow();
  });

  it('is refused to all others, who might be answered what another has asked', () => {
    expect(admit(key)).toThrow(refused);
    expect(admit(key, holderIn('acme', 'production'))).toThrow(refused);
    expect(admit(key, { ...holderIn('acme', 'preview'), scopes: [] })).toThrow(refused);
    expect(admit({ ...session, scopes: [] })).toThrow(refused);
  });

  it('is left to the operation where it has no such key', () => {
    expect(admit(key, undefined, {})).not.toThrow();
  });
});
