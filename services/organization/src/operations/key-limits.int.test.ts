import { describe, expect, it } from '@jest/globals';
import {
  apiKeyDigest,
  createApiKey as createOperation,
  type Environment,
  type InputOf,
  listApiKeys as listOperation,
  type Principal,
  scopesOfRole,
} from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { configuredTiers } from '../domain/tiers.ts';
import { newOwner } from '../testing/keys.ts';
import { accessChangedSubject, auditOf, eventsOf, openWorld, runAs, runInternal } from '../testing/world.ts';
import { addMember } from './add-member.ts';
import { authenticateKey } from './authenticate-key.ts';
import { createApiKey } from './create-api-key.ts';
import { createKey } from './create-key.ts';
import { inviteMember } from './invite-member.ts';
import { listApiKeys } from './list-api-keys.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { revokeKey } from './revoke-key.ts';

const minuteMs = 60_000;

describe('the limits of a key', () => {
  const world = sharedByTests(openWorld);

  const inMinutes = (minutes: number) =>
    new Date(world().clock.now().getTime() + minutes * minuteMs).toISOString();
  const create = async (principal: Principal, body: Partial<InputOf<typeof createOperation>['body']> = {}) =>
    createOperation.reply.parse(
      await runAs(createApiKey(world()), principal, {
        params: undefined,
        query: undefined,
        body: { name: 'CI', scopes: ['api-keys:write', 'templates:read'], ...body },
      }),
    );
  const authenticate = async ({ key }: { key: string }) =>
    (await runInternal(authenticateKey(world()), { key_digest: apiKeyDigest(key) })).principal;
  const made = async (principal: Principal, query: Partial<InputOf<typeof listOperation>['query']>) =>
    listOperation.reply.parse(
      await runAs(listApiKeys(world()), principal, {
        params: undefined,
        query: { limit: 20, offset: 0, ...query },
        body: undefined,
      }),
    ).data;
  const revoke = (principal: Principal, id: string, descendants?: 'true' | 'false') =>
    runAs(revokeApiKey(world()), principal, { params: { id }, query: { descendants }, body: undefined });
  const isDead = (key: { key: string }) =>
    expect(authenticate(key)).rejects.toMatchObject({ code: 'invalid_token' });
  const lines = async ({ organization_id }: Principal, action: string) =>
    (await auditOf(world(), organization_id)).filter((line) => line.action === action);

  it('of an organization are as many as its tier allows, and a revoked one makes room', async () => {
    const tiers = configuredTiers.parse(
      '{"pro": {"stored": {"api_keys": 1}}, "free": {"stored": {"api_keys": 1}}}',
    );
    const owner = await newOwner(world());
    const one = (name: string) =>
      runAs(createApiKey({ ...world(), tiers }), owner, {
        params: undefined,
        query: undefined,
        body: { name, scopes: ['templates:read'] },
      });
    const outcomes = await Promise.allSettled([one('a'), one('b')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(one('c')).rejects.toMatchObject({ code: 'tier_limit', status: 429 });
    const [key] = await made(owner, {});
    await revoke(owner, key?.id ?? '');
    await one('d');
  });

  describe('end', () => {
    it('default to those of the creating key', async () => {
      const owner = await newOwner(world());
      const parent = await create(owner, { expires_at: inMinutes(1) });
      const caller = await authenticate(parent);
      for (const expires_at of [undefined, null]) {
        const child = await create(caller, { expires_at });
        expect(child).toMatchObject({ expires_at: parent.expires_at, parent_key_id: parent.id });
        const grandchild = await create(await authenticate(child));
        expect(grandchild).toMatchObject({ expires_at: parent.expires_at, parent_key_id: child.id });
        expect((await made(owner, { parent_key_id: child.id })).map((key) => key.id)).toEqual([
          grandchild.id,
        ]);
      }
      const [last] = (await made(owner, { parent_key_id: parent.id })).slice(-1);
      world().clock.pass(minuteMs);
      const [ended] = (await made(owner, { parent_key_id: parent.id })).slice(-1);
      expect([last?.status, ended?.status]).toEqual(['active', 'expired']);
    });

    it('may end earlier, and not later by a millisecond', async () => {
      const owner = await newOwner(world());
      const parent = await create(owner, { expires_at: inMinutes(10) });
      const caller = await authenticate(parent);
      expect((await create(caller, { expires_at: inMinutes(5) })).expires_at).toBe(inMinutes(5));
      expect((await create(caller, { expires_at: parent.expires_at })).expires_at).toBe(parent.expires_at);
      const later = new Date(Date.parse(parent.expires_at ?? '') + 1).toISOString();
      await expect(create(caller, { expires_at: later })).rejects.toMatchObject({
        code: 'validation_failed',
        facts: {
          issues: [{ path: ['expires_at'], message: expect.stringContaining(parent.expires_at ?? '') }],
        },
      });
    });

    it('are as requested where the creating key has none, or a session creates the key', async () => {
      const owner = await newOwner(world());
      const parent = await create(owner);
      expect(parent).toMatchObject({ expires_at: null, parent_key_id: null });
      const caller = await authenticate(parent);
      expect((await create(caller)).expires_at).toBeNull();
      expect((await create(caller, { expires_at: inMinutes(1) })).expires_at).toBe(inMinutes(1));
    });

    it.each(['revoked', 'expired', 'of the other environment'])(
      'allow no child of a key that is %s after the gateway cached it',
      async (what) => {
        const owner = await newOwner(world());
        const parent = await create(owner, { expires_at: inMinutes(1) });
        const seen = await authenticate(parent);
        const environment: Environment = what.startsWith('of') ? 'preview' : 'production';
        if (what === 'revoked') await revoke(owner, parent.id);
        if (what === 'expired') world().clock.pass(minuteMs);
        await expect(create({ ...seen, environment })).rejects.toMatchObject({ code: 'invalid_token' });
        expect(await lines(owner, 'api_key.created')).toHaveLength(1);
      },
    );
  });

  describe('scopes', () => {
    it('refuse scopes of which the role allows none: no useless key is created', async () => {
      const owner = await newOwner(world());
      const { organization_id } = owner;
      const person = { organization_id, email: `vera-${uuidv7()}@example.com`, role: 'viewer' as const };
      const { user_id } = await runInternal(addMember(world()), person);
      const session: Principal = {
        ...owner,
        actor: { type: 'session', id: 'vera', user_id },
        role: 'viewer',
        scopes: [...scopesOfRole('viewer')],
      };
      const refusal = {
        code: 'insufficient_scope',
        facts: {
          required_scopes: ['queues:write', 'audit:read'],
          user_scopes: [...scopesOfRole('viewer')],
        },
      };
      const scopes = ['queues:write' as const, 'audit:read' as const, 'queues:write' as const];
      await expect(create(session, { scopes })).rejects.toMatchObject(refusal);
      const byOperator = { organization_id, user_id, name: 'x', scopes };
      await expect(runInternal(createKey(world()), byOperator)).rejects.toMatchObject(refusal);
      expect(await made(owner, {})).toEqual([]);
      expect((await create(session, { scopes: [...scopes, 'usage:read'] })).scopes).toEqual(['usage:read']);
      // An operator can create a key without scopes.
      const none = await runInternal(createKey(world()), { ...byOperator, scopes: [] });
      expect(none.scopes).toEqual([]);
    });
  });

  describe('tree', () => {
    /** A key, its two children, and a grandchild. */
    const family = async () => {
      const owner = await newOwner(world());
      const parent = await create(owner);
      const caller = await authenticate(parent);
      const [one, two] = [await create(caller), await create(caller)];
      const grandchild = await create(await authenticate(one));
      const other = await create(owner);
      return { owner, parent, below: [one, two, grandchild], other };
    };

    it('are revoked with the key on request, however often, and other keys stay', async () => {
      const { owner, parent, below, other } = await family();
      for (let time = 0; time < 2; time += 1) {
        expect(await revoke(owner, parent.id, 'true')).toEqual({ success: true, id: parent.id });
      }
      for (const key of [parent, ...below]) await isDead(key);
      expect((await authenticate(other)).actor.id).toBe(other.id);
      expect(await eventsOf(world(), owner.organization_id)).toEqual([accessChangedSubject]);
      const [line, ...more] = await lines(owner, 'api_key.revoked');
      expect(more).toEqual([]);
      expect(line).toMatchObject({ subject_id: parent.id, changes: { name: 'CI' } });
      expect(new Set(Object(line?.changes).revoked_keys)).toEqual(new Set(below.map((key) => key.id)));
    });

    it.each([undefined, 'false'] as const)(
      'stay active with %j, and can be revoked afterwards',
      async (descendants) => {
        const { owner, parent, below } = await family();
        await revoke(owner, parent.id, descendants);
        for (const key of below) expect((await authenticate(key)).actor.id).toBe(key.id);
        await revoke(owner, parent.id, 'true');
        for (const key of below) await isDead(key);
        expect(await lines(owner, 'api_key.revoked')).toHaveLength(2);
      },
    );

    it('A key is revoked with its pending invitations, also once the key itself is revoked', async () => {
      const owner = await newOwner(world());
      const scopes = [...scopesOfRole('admin')];
      const parent = await create(owner, { scopes });
      const caller = await authenticate(parent);
      const child = await authenticate(await create(caller, { scopes }));
      const other = await authenticate(await create(owner, { scopes }));
      const invite = async (principal: Principal) => {
        const body = { email: `ada-${uuidv7()}@example.com`, role: 'admin' as const };
        const params = { id: principal.organization_id };
        return runAs(inviteMember(world()), principal, { params, query: undefined, body });
      };
      for (const principal of [caller, child, other, owner]) await invite(principal);
      const pending = async () => {
        const [counted] = await world().rows<{ stored: string }>(
          "select count(*) as stored from invitations where organization_id = $1 and status = 'pending'",
          [owner.organization_id],
        );
        return Number(counted?.stored);
      };
      await revoke(owner, parent.id);
      expect(await pending()).toBe(4);
      await revoke(owner, parent.id, 'true');
      expect(await pending()).toBe(2);
      const [, line] = await lines(owner, 'api_key.revoked');
      expect(line).toMatchObject({ changes: { revoked_invitations: 2 } });
      await expect(invite(child)).rejects.toMatchObject({ code: 'invalid_token' });
    });

    it('are revoked by the operator’s command too', async () => {
      const { owner, parent, below, other } = await family();
      const input = { organization_id: owner.organization_id, key_id: parent.id, descendants: true };
      expect(await runInternal(revokeKey(world()), input)).toEqual({ revoked: true });
      for (const key of below) await isDead(key);
      expect((await authenticate(other)).actor.id).toBe(other.id);
    });

    it('of another organization are not found', async () => {
      const { parent, below } = await family();
      await expect(revoke(await newOwner(world()), parent.id, 'true')).rejects.toMatchObject({
        code: 'not_found',
      });
      for (const key of [parent, ...below]) expect((await authenticate(key)).actor.id).toBe(key.id);
    });

    it('include a key that was being created during the revocation', async () => {
      const owner = await newOwner(world());
      for (let round = 0; round < 10; round += 1) {
        const parent = await create(owner);
        const child = await create(await authenticate(parent));
        const [fromParent, fromChild] = [await authenticate(parent), await authenticate(child)];
        const attempts = await Promise.allSettled([
          create(fromParent),
          create(fromChild),
          revoke(owner, parent.id, 'true'),
          create(fromChild),
          create(fromParent),
        ]);
        for (const attempt of attempts) {
          if (attempt.status === 'rejected') expect(attempt.reason).toMatchObject({ code: 'invalid_token' });
          else if ('key' in attempt.value) await isDead(attempt.value);
        }
        await isDead(child);
      }
    });
  });
});
