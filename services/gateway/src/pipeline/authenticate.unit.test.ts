import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type Access,
  CodedError,
  type HttpOperation,
  newApiKey,
  type Principal,
  parseAddressRange,
  validateToken,
} from '@stanza/contracts';
import { RpcFailure } from '@stanza/runtime';
import type { Credentials } from '../access/credentials.ts';
import type { RequestContext } from '../http/request-context.ts';
import { newRequestContext } from '../testing/request-context.ts';
import { type AuthenticationRules, authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';

const contextWith = (authorization: string, access: Access = 'any_token'): RequestContext => {
  const operation: HttpOperation = { ...validateToken, access };
  return newRequestContext(operation, { sent: { authorization } });
};

const ada = { issuer: 'https://identity.example.com', subject: 'ada', email: null, email_verified: false };

const principal = (type: 'api_key' | 'session'): Principal => ({
  organization_id: 'acme',
  environment: 'production',
  actor: { type, id: 'ada' },
  role: 'viewer',
  scopes: ['templates:read'],
});

describe('authentication', () => {
  let known: Credentials;

  beforeEach(() => {
    known = {
      findKey: async () => ({ principal: principal('api_key'), allowed: [] }),
      verifySession: async () => ({
        person: ada,
        organizationId: undefined,
        environment: 'production',
        isForAgents: false,
        expiresAt: 0,
      }),
      findMember: async () => principal('session'),
    };
  });

  /** The request context after both steps for a given token. */
  const admit = async (token: string, access?: Access): Promise<RequestContext> => {
    const requestContext = contextWith(`Bearer ${token}`, access);
    await authenticate(known)(requestContext);
    authorize(requestContext);
    return requestContext;
  };

  const refuseMember = () => Promise.reject(new CodedError('access_denied'));

  it.each(['findKey', 'findMember'] as const)(
    'is a coded 503 while %s is unavailable, never an unexpected error',
    async (name) => {
      const away = (): Promise<never> =>
        Promise.reject(new RpcFailure('no_responders', 'organization.x', false));
      known = { ...known, [name]: away };
      const token = name === 'findKey' ? newApiKey('production') : 'a.b.c';
      for (const access of ['any_token', 'session'] as const) {
        await expect(admit(token, access)).rejects.toMatchObject({
          code: 'service_unavailable',
          facts: { retry_after: 1 },
        });
      }
    },
  );

  describe('a person', () => {
    const rules = { decidingClients: ['desk'], isOfTool: () => false };
    const session =
      (client_id: string | undefined, isForAgents = false) =>
      async () => ({
        person: { ...ada, ...(client_id !== undefined && { client_id }) },
        organizationId: 'acme',
        environment: 'production' as const,
        isForAgents,
        expiresAt: 0,
      });
    const whoActs = async (given: AuthenticationRules, token = 'Bearer a.b.c') => {
      const requestContext = contextWith(token);
      await authenticate(known, given)(requestContext);
      return requestContext.principal;
    };

    it('decides in the applications that are listed, and in no other', async () => {
      for (const [client, decides] of [
        ['desk', undefined],
        ['vscode-agent', false],
        [undefined, false],
      ] as const) {
        known = { ...known, verifySession: session(client) };
        const acting = await whoActs(rules);
        expect([acting?.actor.client_id, acting?.decides]).toEqual([client, decides]);
      }
    });

    it('decides in the console', async () => {
      const person = { ...ada, client_id: 'console' };
      const consoleHolder = async () => ({ kind: 'person' as const, person });
      const requestContext = newRequestContext(
        { ...validateToken, access: 'any_token' },
        { sent: { cookie: 'session=1' } },
      );
      await authenticate(known, { ...rules, consoleHolder })(requestContext);
      expect(requestContext.principal?.actor.client_id).toBe('console');
      expect(requestContext.principal?.decides).toBeUndefined();
    });

    it('never decides through a tool of an agent', async () => {
      known = { ...known, verifySession: session('desk') };
      expect(await whoActs({ ...rules, isOfTool: () => true })).toMatchObject({ decides: false });
    });

    it('is let in with a token for agents through a tool alone', async () => {
      known = { ...known, verifySession: session('desk', true) };
      await expect(whoActs(rules)).rejects.toMatchObject({ code: 'invalid_token' });
      expect(await whoActs({ ...rules, isOfTool: () => true })).toMatchObject({ decides: false });
    });
  });

  describe('a session acts', () => {
    const [own, other] = ['a0000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

    /** Where the membership is looked up, for a token that names this and headers that name another. */
    const placeFor = async (
      token: { organizationId?: string; environment?: 'production' | 'preview' },
      sent: Record<string, string>,
    ) => {
      const asked: { organizationId: string | undefined; environment: string }[] = [];
      const session = {
        person: ada,
        organizationId: undefined,
        environment: 'production',
        isForAgents: false,
        expiresAt: 0,
      } as const;
      known = {
        ...known,
        verifySession: async () => ({ ...session, ...token }),
        findMember: async ({ organizationId, environment }) => {
          asked.push({ organizationId, environment });
          return principal('session');
        },
      };
      const operation: HttpOperation = { ...validateToken, access: 'any_token' };
      const given = { sent: { authorization: 'Bearer a.b.c', ...sent } };
      await authenticate(known)(newRequestContext(operation, given));
      return asked[0];
    };

    const production = { environment: 'production' as const };
    const preview = { environment: 'preview' as const };
    const here = { 'x-stanza-organization': own };
    const inPreview = { 'x-stanza-environment': 'preview' };

    it.each([
      ['in the one of the header', {}, here, { organizationId: own, ...production }],
      ['in preview', {}, { ...here, ...inPreview }, { organizationId: own, ...preview }],
      ['in the one of the token', { organizationId: own }, {}, { organizationId: own, ...production }],
      ['in that of both', { organizationId: own }, here, { organizationId: own, ...production }],
      ['in preview of the token’s', { organizationId: own }, inPreview, { organizationId: own, ...preview }],
      [
        'in preview, as the token says, whatever the header says',
        preview,
        { ...here, 'x-stanza-environment': 'production' },
        { organizationId: own, ...preview },
      ],
    ])('%s', async (_, token, sent, place) => {
      expect(await placeFor(token, sent)).toEqual(place);
    });

    it('for its person alone: with a token for preview they read, and change nothing of both environments', async () => {
      const session = { person: ada, organizationId: own, isForAgents: false, expiresAt: 0 };
      const asked = async (environment: 'production' | 'preview', method: 'GET' | 'POST' | 'PATCH') => {
        known = { ...known, verifySession: async () => ({ ...session, environment }) };
        const operation: HttpOperation = { ...validateToken, access: 'session', method };
        const requestContext = newRequestContext(operation, { sent: { authorization: 'Bearer a.b.c' } });
        await authenticate(known)(requestContext);
        authorize(requestContext);
        return requestContext.context.person;
      };
      expect(await asked('preview', 'GET')).toEqual(ada);
      for (const method of ['POST', 'PATCH'] as const) {
        expect(await asked('production', method)).toEqual(ada);
        await expect(asked('preview', method)).rejects.toMatchObject({ code: 'access_denied' });
      }
    });

    it('in preview alone where its token says so, and in either where its header does', async () => {
      const acting = async (environment: 'production' | 'preview') => {
        known = {
          ...known,
          verifySession: async () => ({
            person: ada,
            organizationId: own,
            environment,
            isForAgents: false,
            expiresAt: 0,
          }),
        };
        const given = { sent: { authorization: 'Bearer a.b.c', ...inPreview } };
        const requestContext = newRequestContext({ ...validateToken, access: 'any_token' }, given);
        await authenticate(known)(requestContext);
        return requestContext.principal;
      };
      expect(await acting('preview')).toMatchObject({ confined: true });
      expect(await acting('production')).not.toHaveProperty('confined');
    });

    it('and refuses another organization than that of the token', async () => {
      const sent = { 'x-stanza-organization': other };
      await expect(placeFor({ organizationId: own }, sent)).rejects.toMatchObject({ code: 'access_denied' });
      expect(await placeFor({ organizationId: own }, { 'x-stanza-organization': own.toUpperCase() })).toEqual(
        {
          organizationId: own,
          ...production,
        },
      );
    });

    it('and refuses a header that names no organization or environment', async () => {
      const noPlaces: Record<string, string>[] = [
        { 'x-stanza-organization': 'acme' },
        { 'x-stanza-organization': other, 'x-stanza-environment': 'staging' },
      ];
      for (const sent of noPlaces) {
        await expect(placeFor({}, sent)).rejects.toMatchObject({ code: 'invalid_request' });
      }
    });
  });

  it('checks the address of a key at each request, and reveals only the refusal', async () => {
    const allowed = ['203.0.113.0/24', '2001:db8::/32'].map(parseAddressRange);
    known = { ...known, findKey: async () => ({ principal: principal('api_key'), allowed }) };
    const from = async (address: string | null) => {
      const requestContext = contextWith(`Bearer ${newApiKey('production')}`);
      requestContext.context.client = { address, user_agent: null };
      await authenticate(known)(requestContext);
      return requestContext.principal;
    };
    expect(await from('203.0.113.9')).toEqual(principal('api_key'));
    expect(await from('2001:db8::9')).toEqual(principal('api_key'));
    for (const address of ['203.0.114.9', '2001:db9::9', '::1', null]) {
      await expect(from(address)).rejects.toMatchObject({
        code: 'access_denied',
        status: 403,
        message: 'The API key cannot be used from this address.',
        facts: { required_scopes: [], user_scopes: [] },
      });
    }
    const unknown = contextWith(`Bearer ${newApiKey('production')}`);
    await expect(authenticate(known)(unknown)).rejects.toMatchObject({ code: 'access_denied' });
    expect(unknown.principal).toBeUndefined();
  });

  it.each(['refuses %j as credentials', 'Bearer', 'Bearer a b'])(
    'takes %j for no credentials',
    async (header) => {
      const tried = authenticate(known)(contextWith(header));
      await expect(tried).rejects.toMatchObject({ code: 'unauthenticated' });
    },
  );

  it.each(['stz_live_mistyped', 'nonsense', 'a.b', 'a.b.c.d', 'a.b.c!'])(
    'refuses %j as neither a key nor a session token',
    async (token) => {
      await expect(admit(token)).rejects.toMatchObject({ code: 'invalid_token' });
    },
  );

  it('lets a session act as the member, and keeps the person', async () => {
    const { context } = await admit('a.b.c', 'templates:read');
    expect(context).toMatchObject({ principal: principal('session'), person: ada });
  });

  it('names the role of the session that lacks a scope', async () => {
    await expect(admit('a.b.c', 'templates:create')).rejects.toMatchObject({
      code: 'insufficient_scope',
      message: 'The role viewer of the session lacks the scope templates:create.',
      facts: { required_scopes: ['templates:create'], user_scopes: ['templates:read'] },
    });
  });

  it('refuses a session without an organization where one is needed', async () => {
    known.findMember = async () => undefined;
    await expect(admit('a.b.c', 'templates:read')).rejects.toMatchObject({
      code: 'access_denied',
      message: 'The session names no organization; sign in to one.',
      facts: { required_scopes: ['templates:read'], user_scopes: [] },
    });
  });

  it('refuses a session of a non-member, except for operations for any person', async () => {
    known.findMember = refuseMember;
    await expect(admit('a.b.c', 'templates:read')).rejects.toMatchObject({ code: 'access_denied' });
    const { context } = await admit('a.b.c', 'session');
    expect(context.person).toEqual(ada);
    expect(context.principal).toBeUndefined();
  });

  it('refuses sessions without an identity provider, and says how to proceed', async () => {
    known.verifySession = undefined;
    await expect(admit('a.b.c', 'templates:read')).rejects.toMatchObject({
      code: 'invalid_token',
      message: expect.stringContaining('Use an API key'),
    });
    await expect(admit('a.b.c', 'session')).rejects.toMatchObject({ code: 'misconfigured', status: 500 });
    await expect(admit(newApiKey('production'), 'templates:read')).resolves.toBeDefined();
  });

  it('refuses a key where a person is needed', async () => {
    await expect(admit(newApiKey('production'), 'session')).rejects.toMatchObject({
      code: 'access_denied',
      message: 'This needs the session of a person, not an API key.',
    });
  });
});
