import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiKeyDigest, newApiKey, scopesOfRole, validateToken as validateOperation } from '@stanza/contracts';
import { Tenant } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import { recordKeyUses } from '../jobs/record-key-uses.ts';
import { addKey } from '../store/api-keys.ts';
import { eventsOf, found, olderHashes, openWorld, run, runInternal, type World } from '../testing/world.ts';
import { addMember } from './add-member.ts';
import { authenticateKey } from './authenticate-key.ts';
import { createKey } from './create-key.ts';
import { revokeKey } from './revoke-key.ts';
import { setOrganizationStatus } from './set-organization-status.ts';
import { validateToken } from './validate-token.ts';

const accessChangedSubject = 'events.organization.access-changed';

describe('access', () => {
  let world: World;

  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const keyOf = (organizationId: string, more: object = {}) =>
    runInternal(createKey(world), { organization_id: organizationId, name: 'a key', ...more });
  const authenticate = (key: string) =>
    runInternal(authenticateKey(world), { key_digest: apiKeyDigest(key) });
  const member = (organizationId: string, role: string, email = `${role}-${uuidv7()}@example.com`) =>
    runInternal(addMember(world), { organization_id: organizationId, email, role, first_name: 'Mel' });

  describe('authenticate-key', () => {
    it.each(['production', 'preview'] as const)(
      'finds who stands behind a key of %s',
      async (environment) => {
        const organization = await found(world);
        const { key, key_id } = await keyOf(organization.id, { environment });
        expect(await authenticate(key)).toEqual({
          principal: {
            organization_id: organization.id,
            environment,
            actor: { type: 'api_key', id: key_id, user_id: organization.ownerId },
            role: 'owner',
            scopes: scopesOfRole('owner'),
          },
          expires_at: null,
        });
      },
    );

    it('refuses a key that nobody made', async () => {
      await expect(authenticate(newApiKey('production'))).rejects.toMatchObject({ code: 'invalid_token' });
    });

    it('refuses a key from the moment at which it expires', async () => {
      const organization = await found(world);
      const expires = new Date(world.clock.now().getTime() + 1_000).toISOString();
      const { key } = await keyOf(organization.id, { expires_at: expires });
      expect(await authenticate(key)).toMatchObject({ expires_at: expires });
      world.clock.pass(1_000);
      await expect(authenticate(key)).rejects.toMatchObject({ code: 'invalid_token' });
    });

    it('refuses the keys of a suspended organization, and takes them again once it is reinstated', async () => {
      const { id } = await found(world);
      const { key } = await keyOf(id);
      const set = (status: string) =>
        runInternal(setOrganizationStatus(world), { organization_id: id, status });
      await set('suspended');
      await expect(authenticate(key)).rejects.toMatchObject({
        code: 'access_denied',
        facts: { required_scopes: [], user_scopes: scopesOfRole('owner') },
      });
      await set('active');
      expect(await authenticate(key)).toMatchObject({ principal: { organization_id: id } });
    });

    it('refuses the key of someone who is no longer a member', async () => {
      const { id } = await found(world);
      const { user_id } = await member(id, 'member');
      const { key } = await keyOf(id, { user_id });
      await world.rows('delete from memberships where user_id = $1', [user_id]);
      await expect(authenticate(key)).rejects.toMatchObject({ code: 'invalid_token' });
    });

    it('cuts the scopes of a key to the role that its creator has now', async () => {
      const { id } = await found(world);
      const email = `mel-${uuidv7()}@example.com`;
      const { user_id } = await member(id, 'admin', email);
      const { key } = await keyOf(id, { user_id, scopes: ['queues:write', 'messages:create', 'usage:read'] });
      await member(id, 'viewer', email);
      expect((await authenticate(key)).principal).toMatchObject({ role: 'viewer', scopes: ['usage:read'] });
    });

    it('finds a key that was hashed with an older secret', async () => {
      const { id, ownerId } = await found(world);
      const key = newApiKey('preview');
      const facts = {
        userId: ownerId,
        name: 'old',
        description: undefined,
        prefix: 'stz_test_old',
        scopes: [],
      };
      await addKey(world.database, new Tenant(id, 'preview'), {
        ...facts,
        ...olderHashes.current(apiKeyDigest(key)),
        expiresAt: undefined,
        at: world.clock.now(),
      });
      expect((await authenticate(key)).principal.organization_id).toBe(id);
    });

    it('reads through the index of hashes', async () => {
      const [hash] = world.keyHashes.all('digest');
      const plan = await world.rows<{ 'QUERY PLAN': string }>(
        `explain select * from api_keys where hash = any (array['\\x${hash?.toString('hex')}'::bytea])`,
      );
      expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/api_keys_hash/);
    });
  });

  describe('create-key', () => {
    it('stores neither the key nor its plain digest', async () => {
      const { id } = await found(world);
      const { key, key_id, key_prefix } = await keyOf(id);
      const [row] = await world.rows<{ all: string; hash_key_id: string }>(
        'select api_keys::text as all, hash_key_id from api_keys where id = $1',
        [key_id],
      );
      expect(key.startsWith(key_prefix)).toBe(true);
      expect(row?.all).not.toContain(key);
      expect(row?.all).not.toContain(apiKeyDigest(key));
      expect(row?.hash_key_id).toBe('k1');
    });

    it("gives no scope that the creator's role does not allow", async () => {
      const { id } = await found(world);
      const { user_id } = await member(id, 'viewer');
      const made = await keyOf(id, { user_id, scopes: ['templates:read', 'templates:create'] });
      expect(made.scopes).toEqual(['templates:read']);
    });

    it('refuses an unknown organization, and a user who is no member of it', async () => {
      const { id } = await found(world);
      const other = await found(world);
      await expect(keyOf(uuidv7())).rejects.toMatchObject({ code: 'organization_not_found' });
      await expect(keyOf(id, { user_id: other.ownerId })).rejects.toMatchObject({ code: 'user_not_found' });
    });
  });

  describe('revoke-key', () => {
    const revoke = (organization_id: string, key_id: string) =>
      runInternal(revokeKey(world), { organization_id, key_id });

    it('ends the key at once and tells the gateways once, however often it is called', async () => {
      const { id } = await found(world);
      const { key, key_id } = await keyOf(id, { environment: 'preview' });
      expect([await revoke(id, key_id), await revoke(id, key_id)]).toEqual([
        { revoked: true },
        { revoked: true },
      ]);
      await expect(authenticate(key)).rejects.toMatchObject({ code: 'invalid_token' });
      expect(await eventsOf(world, id)).toEqual([accessChangedSubject]);
    });

    it("knows no other organization's key", async () => {
      const { id } = await found(world);
      const other = await found(world);
      const { key, key_id } = await keyOf(id);
      await expect(revoke(other.id, key_id)).rejects.toMatchObject({ code: 'not_found' });
      expect(await authenticate(key)).toMatchObject({ principal: { organization_id: id } });
    });
  });

  describe('set-organization-status', () => {
    it('tells the gateways when the status changes, and only then', async () => {
      const { id } = await found(world);
      const set = (status: string) =>
        runInternal(setOrganizationStatus(world), { organization_id: id, status });
      expect(await set('active')).toEqual({ status: 'active' });
      expect(await eventsOf(world, id)).toEqual([]);
      await set('suspended');
      await set('suspended');
      expect(await eventsOf(world, id)).toEqual([accessChangedSubject]);
    });

    it('refuses an unknown organization', async () => {
      const input = { organization_id: uuidv7(), status: 'suspended' };
      await expect(runInternal(setOrganizationStatus(world), input)).rejects.toMatchObject({
        code: 'organization_not_found',
      });
    });
  });

  describe('add-member', () => {
    it('adds a user once, and tells the gateways when the role changes', async () => {
      const { id } = await found(world);
      const email = `Mel-${uuidv7()}@Example.com`;
      const first = await member(id, 'member', email);
      expect(await member(id, 'member', email.toLowerCase())).toEqual(first);
      expect(await eventsOf(world, id)).toEqual([]);
      await member(id, 'viewer', email);
      expect(await eventsOf(world, id)).toEqual([accessChangedSubject]);
    });

    it('lets one person be in two organizations with different roles', async () => {
      const [one, two] = [await found(world), await found(world)];
      const email = `both-${uuidv7()}@example.com`;
      expect(await member(one.id, 'admin', email)).toEqual(await member(two.id, 'viewer', email));
    });

    it('makes no owner, and takes nothing from the owner', async () => {
      const { id, ownerId } = await found(world);
      await expect(member(id, 'owner')).rejects.toMatchObject({ code: 'access_denied' });
      const [owner] = await world.rows<{ email: string }>('select email from users where id = $1', [ownerId]);
      await expect(member(id, 'viewer', owner?.email)).rejects.toMatchObject({ code: 'access_denied' });
      expect((await authenticate((await keyOf(id)).key)).principal.role).toBe('owner');
    });

    it('refuses an unknown organization', async () => {
      await expect(member(uuidv7(), 'member')).rejects.toMatchObject({ code: 'organization_not_found' });
    });
  });

  describe('validate-token', () => {
    const validate = async (organizationId: string, keyId: string, environment: 'production' | 'preview') =>
      validateOperation.reply.parse(
        await run(
          validateToken(world),
          { params: undefined, query: undefined, body: undefined },
          { organizationId, environment, actor: { type: 'api_key', id: keyId } },
        ),
      );

    it.each(['production', 'preview'] as const)('shows every field of a key of %s', async (environment) => {
      const { id } = await found(world, { credits: 42 });
      const { user_id } = await member(id, 'member', `mel-${environment}-${id}@example.com`);
      const made = { description: 'for tests', scopes: ['usage:read', 'messages:create'] };
      const { key, key_id } = await keyOf(id, { user_id, environment, ...made });
      await authenticate(key);
      await recordKeyUses(world)();
      const now = world.clock.now().toISOString();
      const { user, token, organization, valid } = await validate(id, key_id, environment);
      expect(valid).toBe(true);
      expect(user).toEqual({
        id: user_id,
        first_name: 'Mel',
        last_name: '',
        email: `mel-${environment}-${id}@example.com`,
        organization_id: id,
        organization_name: organization.name,
        role: 'member',
        scopes: scopesOfRole('member'),
        created_at: now,
        last_active: now,
      });
      expect(token).toEqual({
        type: 'api_key',
        key_prefix: key.slice(0, 13),
        name: 'a key',
        ...made,
        created_at: now,
        last_used_at: now,
        expires_at: null,
        status: 'active',
        client_id: null,
      });
      expect(organization).toMatchObject({ id, status: 'active', member_count: 2, credit_balance: 42 });
    });

    it('refuses a key that was revoked since the gateway saw it, and one of the other environment', async () => {
      const { id } = await found(world);
      const { key_id } = await keyOf(id);
      await expect(validate(id, key_id, 'preview')).rejects.toMatchObject({ code: 'invalid_token' });
      await runInternal(revokeKey(world), { organization_id: id, key_id });
      await expect(validate(id, key_id, 'production')).rejects.toMatchObject({ code: 'invalid_token' });
    });
  });

  describe('the last use of a key', () => {
    it('is written later, never backwards, and not lost when the database is away', async () => {
      const { id } = await found(world);
      const { key, key_id } = await keyOf(id);
      const lastUse = async () => {
        const [row] = await world.rows<{ last_used_at: Date | null }>(
          'select last_used_at from api_keys where id = $1',
          [key_id],
        );
        return row?.last_used_at;
      };
      await authenticate(key);
      const used = world.clock.now();
      expect(await lastUse()).toBeNull();
      const broken = {
        ...world,
        database: { ...world.database, transaction: () => Promise.reject(new Error('away')) },
      };
      await expect(recordKeyUses(broken)()).rejects.toThrow('away');
      world.keyUse.note(key_id, new Date(used.getTime() - 60_000));
      await recordKeyUses(world)();
      expect(await lastUse()).toEqual(used);
      world.keyUse.note(key_id, new Date(used.getTime() - 1));
      await recordKeyUses(world)();
      expect(await lastUse()).toEqual(used);
    });
  });
});
