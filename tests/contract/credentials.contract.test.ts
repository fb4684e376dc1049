import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type HttpOperation,
  httpOperations,
  newApiKey,
  revokeKey,
  roleIncludes,
  roles,
  type Scope,
  scopes,
  scopesOfRole,
  scopeTable,
} from '@stanza/contracts';
import type { Api } from '../kit/api.ts';
import type { TestOrganization } from '../kit/organization.ts';
import { openWorld, type World } from '../kit/stack.ts';
import { waitFor } from '../kit/wait.ts';
import { newMatrixOrganization } from './home.ts';
import { addressOf, invalidStatus, isMadeByClient, unknownParams } from './valid-request.ts';

const guarded = httpOperations.filter((it) => it.access !== 'public' && it.access !== 'signed');

const scopeOf = ({ access }: HttpOperation): Scope | undefined => scopes.find((scope) => scope === access);

/** The narrowest role that holds the operation's scope and has the role that it asks for besides. */
const leastRole = (operation: HttpOperation) => {
  const scope = scopeOf(operation);
  const allowed = roles.filter(
    (role) =>
      (scope === undefined || roleIncludes(role, scopeTable[scope].role)) &&
      (operation.role === undefined || roleIncludes(role, operation.role)),
  );
  return allowed[0];
};

/** Whether it refuses an unknown key in its query. */
const knowsItsQuery = (operation: HttpOperation): boolean =>
  isMadeByClient(operation) || operation.query !== undefined;

/**
 * Asks for what no operation takes, so that nothing ever happens: who is let in is told that. An operation of SCIM that
 * takes any query is asked with an id of no form, or with an unknown key in the body.
 */
const ask = (api: Api, operation: HttpOperation, headers: Record<string, string> = {}) => {
  const { method, body } = operation;
  const params = unknownParams(operation);
  const noIds = Object.fromEntries(Object.keys(params).map((name) => [name, 'none']));
  const wrong = knowsItsQuery(operation) ? { params, query: { unknown_key: '1' } } : { params: noIds };
  const sent = method === 'POST' && body ? { unknown_key: 1 } : undefined;
  return api.request(method, addressOf(operation, wrong), sent, { headers });
};

/**
 * Whether that is what a caller hears who is let in; what takes nothing cannot be asked wrongly, and its organization
 * has nothing.
 */
const heardBy = (operation: HttpOperation, status: number): boolean => {
  if (knowsItsQuery(operation)) return status === invalidStatus(operation);
  const { path, body } = operation;
  // An id of SCIM has any form, so that one which names nothing is not found.
  if (path.includes('{')) return status === 404;
  return body ? status === invalidStatus(operation) : status !== 401 && status !== 403;
};

describe('credentials', () => {
  let world: World;
  let organization: TestOrganization;
  let expired: string;
  let revoked: string;
  const keys = new Map<string, Promise<string>>();

  beforeAll(async () => {
    world = await openWorld();
    organization = await newMatrixOrganization(world);
    expired = (await organization.key({ expires_at: new Date(Date.now() - 1_000).toISOString() })).key;
    revoked = await revokedKey();
  });
  afterAll(() => world.close());

  const revokedKey = async (): Promise<string> => {
    const { id, key } = await organization.key();
    await organization.call(revokeKey, { organization_id: organization.id, key_id: id });
    await waitFor('the key to be dead', async () => {
      return (await world.api.with(key).get('/v1/auth/validate')).status === 401;
    });
    return key;
  };

  const keyOf = (name: string, make: () => Promise<{ key: string }>): Promise<string> => {
    const known = keys.get(name) ?? make().then(({ key }) => key);
    keys.set(name, known);
    return known;
  };

  const mistyped = () => {
    const key = newApiKey('production');
    return key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');
  };

  describe.each(guarded)('for $id', (operation) => {
    const facts = { valid: operation.answersValidity ? false : undefined };

    it.each([
      ['no credentials', 'unauthenticated', () => undefined],
      ['another scheme', 'unauthenticated', () => 'Basic b2xpdmU6b2xpdmU='],
      ['what is no key', 'invalid_token', () => 'Bearer nonsense'],
      ['a mistyped key', 'invalid_token', () => `Bearer ${mistyped()}`],
      ['an unknown key', 'invalid_token', () => `Bearer ${newApiKey('production')}`],
      ['an expired key', 'invalid_token', () => `Bearer ${expired}`],
      ['a revoked key', 'invalid_token', () => `Bearer ${revoked}`],
    ])('refuse %s', async (_, code, authorization) => {
      const header = authorization();
      const refused = await ask(world.api, operation, header === undefined ? {} : { authorization: header });
      expect(refused).toMatchObject({ status: 401, body: { code } });
      expect(refused.body).toEqual(expect.objectContaining(JSON.parse(JSON.stringify(facts))));
      expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/);
    });

    const scope = scopeOf(operation);
    if (scope !== undefined) {
      it('refuse a key that has every scope but that one', async () => {
        const others = scopes.filter((it) => it !== scope);
        const key = await keyOf(`all but ${scope}`, () => organization.key({ scopes: others }));
        const refused = await ask(world.api.with(key), operation);
        expect(refused).toMatchObject({
          status: 403,
          body: { code: 'insufficient_scope', required_scopes: [scope], user_scopes: others },
        });
      });
    }
    if (operation.access === 'any_token') {
      it('let a key without any scope in', async () => {
        const key = await keyOf('no scope', () => organization.key({ scopes: [] }));
        const { status } = await ask(world.api.with(key), operation);
        expect([status, heardBy(operation, status)]).toEqual([status, true]);
      });
    }
    if (operation.access === 'session') {
      it('refuse an API key, even with every scope', async () => {
        const key = await keyOf('owner', () => organization.key());
        const refused = await ask(world.api.with(key), operation);
        expect(refused).toMatchObject({ status: 403, body: { code: 'access_denied', required_scopes: [] } });
      });
    }

    if (operation.organizationWide) {
      it('refuse a key of the preview environment', async () => {
        const key = await keyOf('preview', () => organization.key({ environment: 'preview' }));
        const refused = await ask(world.api.with(key), operation);
        expect(refused).toMatchObject({ status: 403, body: { code: 'access_denied' } });
      });
    }

    const least = leastRole(operation);
    const asked = operation.access === 'session' || least === undefined ? [] : roles;
    for (const role of asked.filter((it) => least && !roleIncludes(it, least))) {
      it(`refuse the role ${role}`, async () => {
        const key = await keyOf(role, () => organization.key({ role }));
        const refused = await ask(world.api.with(key), operation);
        const user_scopes = scopesOfRole(role);
        expect(refused).toMatchObject({ status: 403, body: { user_scopes } });
        const lacks = scope !== undefined && !user_scopes.includes(scope);
        expect(refused.body).toHaveProperty('code', lacks ? 'insufficient_scope' : 'access_denied');
        expect(refused.body).toHaveProperty('required_scopes', scope === undefined ? [] : [scope]);
      });
    }
    for (const role of asked.filter((it) => least && roleIncludes(it, least))) {
      it(`let the role ${role} in`, async () => {
        const key = await keyOf(role, () => organization.key({ role }));
        const { status } = await ask(world.api.with(key), operation);
        expect([status, heardBy(operation, status)]).toEqual([status, true]);
      });
    }
  });
});
