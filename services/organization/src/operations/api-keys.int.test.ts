import { describe, expect, it } from '@jest/globals';
import {
  apiKeyDigest,
  createApiKey as createOperation,
  type InputOf,
  listApiKeys as listOperation,
  type Principal,
  type Scope,
  scopesOfRole,
} from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { newOwner } from '../testing/keys.ts';
import { accessChangedSubject, auditOf, eventsOf, openWorld, runAs, runInternal } from '../testing/world.ts';
import { addMember } from './add-member.ts';
import { authenticateKey } from './authenticate-key.ts';
import { createApiKey } from './create-api-key.ts';
import { createKey } from './create-key.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';

describe('API keys over the API', () => {
  const world = sharedByTests(openWorld);

  const sessionPrincipal = async (more: Partial<Principal> = {}): Promise<Principal> => ({
    ...(await newOwner(world())),
    ...more,
  });
  const keyPrincipal = async (more: Partial<Principal> = {}): Promise<Principal> => {
    const principal = await sessionPrincipal(more);
    const { organization_id, environment, actor, scopes } = principal;
    const { user_id } = actor;
    const input = { organization_id, environment, user_id, name: 'caller', scopes };
    const { key_id: id } = await runInternal(createKey(world()), input);
    return { ...principal, actor: { type: 'api_key', id, user_id } };
  };
  const create = async (principal: Principal, body: Partial<InputOf<typeof createOperation>['body']> = {}) =>
    createOperation.reply.parse(
      await runAs(createApiKey(world()), principal, {
        params: undefined,
        query: undefined,
        body: { name: 'CI', scopes: ['templates:read'], ...body },
      }),
    );
  const list = async (principal: Principal, query: Partial<InputOf<typeof listOperation>['query']> = {}) =>
    listOperation.reply.parse(
      await runAs(listApiKeys(world()), principal, {
        params: undefined,
        query: { limit: 20, offset: 0, ...query },
        body: undefined,
      }),
    );
  const revoke = (principal: Principal, id: string, environment?: 'production' | 'preview') =>
    runAs(revokeApiKey(world()), principal, { params: { id }, query: { environment }, body: undefined });
  const authenticate = (key: string) =>
    runInternal(authenticateKey(world()), { key_digest: apiKeyDigest(key) });

  describe('the allowed addresses of a key', () => {
    const issuesOf = (principal: Principal, allowed_addresses: string[]) =>
      create(principal, { allowed_addresses }).catch((error: unknown) => error);
    const behind = (made: { id: string }, principal: Principal): Principal => ({
      ...principal,
      actor: { ...principal.actor, id: made.id },
    });

    it('are stored, shown, audited, and passed to the gateway', async () => {
      const principal = await keyPrincipal();
      const allowed_addresses = ['203.0.113.0/24', '2001:db8::1/128'];
      const made = await create(principal, { allowed_addresses });
      expect(made).toMatchObject({ allowed_addresses });
      expect((await list(principal)).data[0]).toMatchObject({ id: made.id, allowed_addresses });
      expect(await authenticate(made.key)).toMatchObject({ allowed_addresses });
      const lines = await auditOf(world(), principal.organization_id);
      expect(lines.at(-1)).toMatchObject({
        action: 'api_key.created',
        subject_id: made.id,
        changes: { allowed_addresses },
      });
      const free = await create(principal);
      expect(free).toMatchObject({ allowed_addresses: [] });
      expect(await authenticate(free.key)).toMatchObject({ allowed_addresses: [] });
    });

    it('default to those of the creating key, and must lie within them', async () => {
      const principal = await keyPrincipal();
      const parent = behind(await create(principal, { allowed_addresses: ['203.0.113.0/24'] }), principal);
      expect(await create(parent)).toMatchObject({ allowed_addresses: ['203.0.113.0/24'] });
      expect(await create(parent, { allowed_addresses: [] })).toMatchObject({
        allowed_addresses: ['203.0.113.0/24'],
      });
      expect(await create(parent, { allowed_addresses: ['203.0.113.8/30'] })).toMatchObject({
        allowed_addresses: ['203.0.113.8/30'],
      });
      for (const beyond of ['203.0.112.0/23', '0.0.0.0/0', '::/0', '198.51.100.1/32']) {
        expect(await issuesOf(parent, ['203.0.113.8/30', beyond])).toMatchObject({
          code: 'validation_failed',
          facts: { issues: [{ path: ['allowed_addresses', 1] }] },
        });
      }
    });

    it('do not limit a key created by a session', async () => {
      const principal = await keyPrincipal();
      const session = { ...principal, actor: { ...principal.actor, type: 'session' as const } };
      expect(await create(session, { allowed_addresses: ['198.51.100.1/32'] })).toMatchObject({
        allowed_addresses: ['198.51.100.1/32'],
      });
    });
  });

  describe('create-api-key', () => {
    it('creates a key that works at once, owned by the user behind the caller, and audits it without the key', async () => {
      const principal = await keyPrincipal({ environment: 'preview' });
      const expires_at = '2027-01-01T00:00:00+01:00';
      const made = await create(principal, { description: 'for tests', expires_at });
      expect(made).toMatchObject({
        name: 'CI',
        description: 'for tests',
        environment: 'preview',
        scopes: ['templates:read'],
        user_id: principal.actor.user_id,
        status: 'active',
        expires_at: '2026-12-31T23:00:00.000Z',
        last_used_at: null,
        revoked_at: null,
      });
      expect(made.key.startsWith('stz_test_')).toBe(true);
      expect((await authenticate(made.key)).principal).toMatchObject({
        organization_id: principal.organization_id,
        environment: 'preview',
        scopes: ['templates:read'],
      });
      const { key, ...shown } = made;
      expect((await list(principal)).data[0]).toMatchObject({ ...shown, last_used_at: null });
      const all = await auditOf(world(), principal.organization_id);
      const lines = all.filter((line) => line.subject_id === made.id);
      expect(lines).toMatchObject([
        {
          action: 'api_key.created',
          environment: 'preview',
          actor_type: 'api_key',
          actor_user_id: principal.actor.user_id,
          subject_id: made.id,
          changes: { name: 'CI', scopes: ['templates:read'] },
        },
      ]);
      expect(JSON.stringify(lines)).not.toContain(key.slice(9));
      expect(await eventsOf(world(), principal.organization_id)).toEqual([]);
    });

    it('grants no scope that the calling key lacks, and names the missing ones', async () => {
      const principal = await keyPrincipal({ scopes: ['api-keys:write', 'templates:read'] });
      const scopes: Scope[] = ['templates:read', 'messages:create', 'usage:read'];
      await expect(create(principal, { scopes })).rejects.toMatchObject({
        code: 'insufficient_scope',
        facts: {
          required_scopes: ['messages:create', 'usage:read'],
          user_scopes: ['api-keys:write', 'templates:read'],
        },
      });
      expect((await list(principal)).data.map((key) => key.id)).toEqual([principal.actor.id]);
    });

    it('lets any key grant reserved scopes', async () => {
      const principal = await keyPrincipal({ scopes: ['api-keys:write'] });
      const scopes: Scope[] = ['queues:read', 'scheduled:read', 'scheduled:write'];
      expect((await create(principal, { scopes })).scopes).toEqual(scopes);
    });

    it('leaves out scopes beyond the role of the user behind the caller, and duplicates', async () => {
      const { organization_id } = await sessionPrincipal();
      const person = { organization_id, email: `adam-${organization_id}@example.com`, role: 'admin' };
      const { user_id } = await runInternal(addMember(world()), person);
      const principal: Principal = {
        organization_id,
        environment: 'production',
        actor: { type: 'session', id: 'adam', user_id },
        role: 'admin',
        scopes: [...scopesOfRole('admin')],
      };
      const made = await create(principal, {
        scopes: ['organizations:delete', 'queues:write', 'queues:write'],
      });
      expect(made.scopes).toEqual(['queues:write']);
      await runInternal(addMember(world()), { ...person, role: 'viewer' });
      expect((await authenticate(made.key)).principal.scopes).toEqual([]);
      expect((await list(principal)).data[0]).toMatchObject({ scopes: [], status: 'active' });
    });

    it('is denied to a key for the other environment, and allowed to a session', async () => {
      const principal = await keyPrincipal();
      await expect(create(principal, { environment: 'preview' })).rejects.toMatchObject({
        code: 'access_denied',
        facts: { required_scopes: [], user_scopes: principal.scopes },
      });
      const session = { ...principal, actor: { ...principal.actor, type: 'session' as const } };
      expect(await create(session, { environment: 'preview' })).toMatchObject({ environment: 'preview' });
      expect((await list(session)).data.map((key) => key.id)).toEqual([principal.actor.id]);
      expect((await list(session, { environment: 'preview' })).data).toHaveLength(1);
    });

    it('is denied to a session token for preview in production, as are the list and the revocation', async () => {
      const production = await keyPrincipal();
      const token: Principal = {
        ...production,
        environment: 'preview',
        actor: { ...production.actor, type: 'session' },
        confined: true,
      };
      const denied = { code: 'access_denied' };
      await expect(create(token, { environment: 'production' })).rejects.toMatchObject(denied);
      await expect(list(token, { environment: 'production' })).rejects.toMatchObject(denied);
      await expect(revoke(token, production.actor.id, 'production')).rejects.toMatchObject(denied);
      expect(await create(token)).toMatchObject({ environment: 'preview' });
    });

    it('refuses an expiry in the past', async () => {
      const principal = await sessionPrincipal();
      const expires_at = world().clock.now().toISOString();
      await expect(create(principal, { expires_at })).rejects.toMatchObject({
        code: 'validation_failed',
        facts: { issues: [{ path: ['expires_at'] }] },
      });
    });

    it('is refused once the user behind the caller is no longer a member', async () => {
      const principal = await keyPrincipal();
      const actor = { type: 'api_key' as const, id: uuidv7(), user_id: uuidv7() };
      await expect(create({ ...principal, actor })).rejects.toMatchObject({ code: 'access_denied' });
    });

    it.each(['templates:write', 'organizations:admin', 'users:admin'])(
      'refuses the old scope name %s and suggests the new one',
      (name) => {
        const parsed = createOperation.body?.safeParse({ name: 'CI', scopes: [name] });
        expect(parsed?.error?.issues).toMatchObject([
          { path: ['scopes', 0], message: expect.stringContaining('any more') },
        ]);
      },
    );
  });

  describe('list-api-keys', () => {
    it('lists keys of the caller’s environment, newest first, by status and page', async () => {
      const principal = await sessionPrincipal();
      const first = await create(principal);
      const soon = new Date(world().clock.now().getTime() + 1_000).toISOString();
      const second = await create(principal, { expires_at: soon });
      const third = await create(principal);
      await revoke(principal, first.id);
      world().clock.pass(2_000);
      const { data, pagination } = await list(principal);
      expect(data.map((key) => [key.id, key.status])).toEqual([
        [third.id, 'active'],
        [second.id, 'expired'],
        [first.id, 'revoked'],
      ]);
      expect(pagination).toEqual({ offset: 0, limit: 20, total: 3 });
      for (const [status, id] of [
        ['active', third.id],
        ['expired', second.id],
        ['revoked', first.id],
      ] as const) {
        const found = await list(principal, { status });
        expect([found.data.map((key) => key.id), found.pagination.total]).toEqual([[id], 1]);
      }
      const page = await list(principal, { limit: 1, offset: 1 });
      expect(page).toMatchObject({ data: [{ id: second.id }], pagination: { total: 3 } });
      expect((await list({ ...principal, environment: 'preview' })).data).toEqual([]);
      expect((await list(await sessionPrincipal())).data).toEqual([]);
    });
  });

  describe('revoke-api-key', () => {
    it('revokes the key at once, with one notification and one audit entry', async () => {
      const principal = await sessionPrincipal();
      const { id, key } = await create(principal);
      expect(await revoke(principal, id)).toEqual({ success: true, id });
      expect(await revoke(principal, id)).toEqual({ success: true, id });
      await expect(authenticate(key)).rejects.toMatchObject({ code: 'invalid_token' });
      expect(await eventsOf(world(), principal.organization_id)).toEqual([accessChangedSubject]);
      const actions = (await auditOf(world(), principal.organization_id)).map((line) => line.action);
      expect(actions).toEqual(['api_key.created', 'api_key.revoked']);
    });

    it('answers not_found for a key of the other environment or another organization', async () => {
      const principal = await sessionPrincipal();
      const { id, key } = await create(principal);
      const preview = {
        ...principal,
        environment: 'preview' as const,
        actor: { ...principal.actor, type: 'api_key' as const },
      };
      const other = await sessionPrincipal();
      for (const caller of [preview, other]) {
        await expect(revoke(caller, id)).rejects.toMatchObject({ code: 'not_found' });
      }
      await expect(revoke(preview, id, 'production')).rejects.toMatchObject({ code: 'access_denied' });
      expect(await authenticate(key)).toMatchObject({ principal: { environment: 'production' } });
    });

    it('lets a session revoke keys of either environment', async () => {
      const principal = await sessionPrincipal({ environment: 'preview' });
      const { id } = await create(principal);
      const session: Principal = {
        ...principal,
        environment: 'production',
        actor: { type: 'session', id: 'olive' },
      };
      await expect(revoke(session, id)).rejects.toMatchObject({ code: 'not_found' });
      expect(await revoke(session, id, 'preview')).toEqual({ success: true, id });
    });
  });
});
