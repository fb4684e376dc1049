import { describe, expect, it } from '@jest/globals';
import { apiKeyDigest, newApiKey, scopesOfRole } from '@stanza/contracts';
import { silentLogger, Tenant } from '@stanza/runtime';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { checkKeyHashes } from '../check-key-hashes.ts';
import { KeyHashes } from '../domain/key-hash.ts';
import { recordUses } from '../jobs/record-uses.ts';
import { addKey } from '../store/api-keys.ts';
import { authenticate, keyOf, newMember } from '../testing/keys.ts';
import { found, olderHashes, openWorld, runInternal } from '../testing/world.ts';
import { setOrganizationStatus } from './set-organization-status.ts';

describe('keys in use', () => {
  const world = sharedByTests(openWorld);

  describe('authenticate-key', () => {
    it.each(['production', 'preview'] as const)(
      'identifies the principal of a key of %s',
      async (environment) => {
        const organization = await found(world());
        const { key, key_id } = await keyOf(world(), organization.id, { environment });
        expect(await authenticate(world(), key)).toEqual({
          principal: {
            organization_id: organization.id,
            environment,
            actor: { type: 'api_key', id: key_id, user_id: organization.ownerId },
            role: 'owner',
            scopes: scopesOfRole('owner'),
          },
          expires_at: null,
          allowed_addresses: [],
        });
      },
    );

    it('refuses an unknown key', async () => {
      await expect(authenticate(world(), newApiKey('production'))).rejects.toMatchObject({
        code: 'invalid_token',
      });
    });

    it('refuses a key from its expiry on', async () => {
      const organization = await found(world());
      const expires = new Date(world().clock.now().getTime() + 1_000).toISOString();
      const { key } = await keyOf(world(), organization.id, { expires_at: expires });
      expect(await authenticate(world(), key)).toMatchObject({ expires_at: expires });
      world().clock.pass(1_000);
      await expect(authenticate(world(), key)).rejects.toMatchObject({ code: 'invalid_token' });
    });

    it('refuses the keys of a suspended organization, and accepts them again after reinstatement', async () => {
      const { id } = await found(world());
      const { key } = await keyOf(world(), id);
      const set = (status: string) =>
        runInternal(setOrganizationStatus(world()), { organization_id: id, status });
      await set('suspended');
      await expect(authenticate(world(), key)).rejects.toMatchObject({
        code: 'access_denied',
        facts: { required_scopes: [], user_scopes: scopesOfRole('owner') },
      });
      await set('active');
      expect(await authenticate(world(), key)).toMatchObject({ principal: { organization_id: id } });
    });

    it('refuses the key of a former member', async () => {
      const { id } = await found(world());
      const { user_id } = await newMember(world(), id, 'member');
      const { key } = await keyOf(world(), id, { user_id });
      await world().rows('delete from memberships where user_id = $1', [user_id]);
      await expect(authenticate(world(), key)).rejects.toMatchObject({ code: 'invalid_token' });
    });

    it("limits the scopes of a key to its creator's current role", async () => {
      const { id } = await found(world());
      const email = `mel-${uuidv7()}@example.com`;
      const { user_id } = await newMember(world(), id, 'admin', email);
      const { key } = await keyOf(world(), id, {
        user_id,
        scopes: ['queues:write', 'messages:create', 'usage:read'],
      });
      await newMember(world(), id, 'viewer', email);
      expect((await authenticate(world(), key)).principal).toMatchObject({
        role: 'viewer',
        scopes: ['usage:read'],
      });
    });

    it('accepts a key that was hashed with an older secret', async () => {
      const { id, ownerId } = await found(world());
      const key = newApiKey('preview');
      const facts = {
        userId: ownerId,
        name: 'old',
        description: undefined,
        prefix: 'stz_test_old',
        scopes: [],
      };
      await addKey(world().database, new Tenant(id, 'preview'), {
        allowedAddresses: [],
        ...facts,
        ...olderHashes.current(apiKeyDigest(key)),
        expiresAt: undefined,
        at: world().clock.now(),
      });
      expect((await authenticate(world(), key)).principal.organization_id).toBe(id);
    });

    it('refuses a key whose secret is missing, which the log says at the start with the number of keys', async () => {
      const { id } = await found(world());
      const { key } = await keyOf(world(), id);
      const said: unknown[] = [];
      const log = { ...silentLogger(), error: (facts: unknown) => void said.push(facts) };
      const check = (keyHashes: KeyHashes) => checkKeyHashes({ ...world(), log, keyHashes });
      await check(world().keyHashes);
      expect(said).toEqual([]);
      const keyHashes = new KeyHashes({ id: 'k2', secret: Buffer.alloc(32, 9) });
      await check(keyHashes);
      expect(said).toContainEqual({ hash_key_id: 'k1', count: expect.any(Number) });
      await expect(authenticate({ ...world(), keyHashes }, key)).rejects.toMatchObject({
        code: 'invalid_token',
      });
    });

    it('uses the index of hashes', async () => {
      const [hash] = world().keyHashes.all('digest');
      const plan = await world().rows<{ 'QUERY PLAN': string }>(
        `explain select * from api_keys where hash = any (array['\\x${hash?.toString('hex')}'::bytea])`,
      );
      expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/api_keys_hash/);
    });
  });

  describe('the last use of a key', () => {
    it('is written later, never moves backwards, and survives an unavailable database', async () => {
      const { id } = await found(world());
      const { key, key_id } = await keyOf(world(), id);
      const lastUse = async () => {
        const [row] = await world().rows<{ last_used_at: Date | null }>(
          'select last_used_at from api_keys where id = $1',
          [key_id],
        );
        return row?.last_used_at;
      };
      await authenticate(world(), key);
      const used = world().clock.now();
      expect(await lastUse()).toBeNull();
      const broken = {
        ...world(),
        database: { ...world().database, transaction: () => Promise.reject(new Error('away')) },
      };
      await expect(recordUses(broken)()).rejects.toThrow('away');
      world().keyUse.note(key_id, new Date(used.getTime() - 60_000));
      await recordUses(world())();
      expect(await lastUse()).toEqual(used);
      world().keyUse.note(key_id, new Date(used.getTime() - 1));
      await recordUses(world())();
      expect(await lastUse()).toEqual(used);
    });
  });
});
