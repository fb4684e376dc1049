import { describe, expect, it } from '@jest/globals';
import { apiKeyDigest, scopesOfRole, validateToken as validateOperation } from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { recordUses } from '../jobs/record-uses.ts';
import { authenticate, keyOf, newMember } from '../testing/keys.ts';
import { eventsOf, found, openWorld, run, runInternal } from '../testing/world.ts';
import { revokeKey } from './revoke-key.ts';
import { setOrganizationStatus } from './set-organization-status.ts';
import { validateToken } from './validate-token.ts';

const accessChangedSubject = 'events.organization.access-changed';

describe('access', () => {
  const world = sharedByTests(openWorld);

  describe('create-key', () => {
    it('is stored neither in clear nor as a plain digest', async () => {
      const { id } = await found(world());
      const { key, key_id, key_prefix } = await keyOf(world(), id);
      const [row] = await world().rows<{ all: string; hash_key_id: string }>(
        'select api_keys::text as all, hash_key_id from api_keys where id = $1',
        [key_id],
      );
      expect(key.startsWith(key_prefix)).toBe(true);
      expect(row?.all).not.toContain(key);
      expect(row?.all).not.toContain(apiKeyDigest(key));
      expect(row?.hash_key_id).toBe('k1');
    });

    it("gets no scope beyond the creator's role", async () => {
      const { id } = await found(world());
      const { user_id } = await newMember(world(), id, 'viewer');
      const made = await keyOf(world(), id, { user_id, scopes: ['templates:read', 'templates:create'] });
      expect(made.scopes).toEqual(['templates:read']);
    });

    it('is refused for an unknown organization, and for a user who is not a member', async () => {
      const { id } = await found(world());
      const other = await found(world());
      await expect(keyOf(world(), uuidv7())).rejects.toMatchObject({ code: 'organization_not_found' });
      await expect(keyOf(world(), id, { user_id: other.ownerId })).rejects.toMatchObject({
        code: 'user_not_found',
      });
    });
  });

  describe('revoke-key', () => {
    const revoke = (organization_id: string, key_id: string) =>
      runInternal(revokeKey(world()), { organization_id, key_id });

    it('is revoked at once with one notification to the gateways, however often it is called', async () => {
      const { id } = await found(world());
      const { key, key_id } = await keyOf(world(), id, { environment: 'preview' });
      expect([await revoke(id, key_id), await revoke(id, key_id)]).toEqual([
        { revoked: true },
        { revoked: true },
      ]);
      await expect(authenticate(world(), key)).rejects.toMatchObject({ code: 'invalid_token' });
      expect(await eventsOf(world(), id)).toEqual([accessChangedSubject]);
    });

    it('of another organization is not found', async () => {
      const { id } = await found(world());
      const other = await found(world());
      const { key, key_id } = await keyOf(world(), id);
      await expect(revoke(other.id, key_id)).rejects.toMatchObject({ code: 'not_found' });
      expect(await authenticate(world(), key)).toMatchObject({ principal: { organization_id: id } });
    });
  });

  describe('set-organization-status', () => {
    it('notifies the gateways when the status changes, and only then', async () => {
      const { id } = await found(world());
      const set = (status: string) =>
        runInternal(setOrganizationStatus(world()), { organization_id: id, status });
      expect(await set('active')).toEqual({ status: 'active' });
      expect(await eventsOf(world(), id)).toEqual([]);
      await set('suspended');
      await set('suspended');
      expect(await eventsOf(world(), id)).toEqual([accessChangedSubject]);
    });

    it('answers not_found for an unknown organization', async () => {
      const input = { organization_id: uuidv7(), status: 'suspended' };
      await expect(runInternal(setOrganizationStatus(world()), input)).rejects.toMatchObject({
        code: 'organization_not_found',
      });
    });
  });

  describe('add-member', () => {
    it('adds a user once, and notifies the gateways when the role changes', async () => {
      const { id } = await found(world());
      const email = `Mel-${uuidv7()}@Example.com`;
      const first = await newMember(world(), id, 'member', email);
      expect(await newMember(world(), id, 'member', email.toLowerCase())).toEqual(first);
      expect(await eventsOf(world(), id)).toEqual([]);
      await newMember(world(), id, 'viewer', email);
      expect(await eventsOf(world(), id)).toEqual([accessChangedSubject]);
    });

    it('allows one person different roles in two organizations', async () => {
      const [one, two] = [await found(world()), await found(world())];
      const email = `both-${uuidv7()}@example.com`;
      expect(await newMember(world(), one.id, 'admin', email)).toEqual(
        await newMember(world(), two.id, 'viewer', email),
      );
    });

    it('neither creates a second owner nor changes the owner', async () => {
      const { id, ownerId } = await found(world());
      await expect(newMember(world(), id, 'owner')).rejects.toMatchObject({ code: 'access_denied' });
      const [owner] = await world().rows<{ email: string }>('select email from users where id = $1', [
        ownerId,
      ]);
      await expect(newMember(world(), id, 'viewer', owner?.email)).rejects.toMatchObject({
        code: 'access_denied',
      });
      expect((await authenticate(world(), (await keyOf(world(), id)).key)).principal.role).toBe('owner');
    });

    it('answers not_found for an unknown organization', async () => {
      await expect(newMember(world(), uuidv7(), 'member')).rejects.toMatchObject({
        code: 'organization_not_found',
      });
    });
  });

  describe('validate-token', () => {
    const validate = async (organizationId: string, keyId: string, environment: 'production' | 'preview') =>
      validateOperation.reply.parse(
        await run(
          validateToken(world()),
          { params: undefined, query: undefined, body: undefined },
          { organizationId, environment, actor: { type: 'api_key', id: keyId } },
        ),
      );

    it.each(['production', 'preview'] as const)('shows every field of a key of %s', async (environment) => {
      const { id } = await found(world(), { credits: 42 });
      const { user_id } = await newMember(world(), id, 'member', `mel-${environment}-${id}@example.com`);
      const made = { description: 'for tests', scopes: ['usage:read', 'messages:create'] };
      const { key, key_id } = await keyOf(world(), id, { user_id, environment, ...made });
      await authenticate(world(), key);
      await recordUses(world())();
      const now = world().clock.now().toISOString();
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
        environment,
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

    it('refuses a key revoked after the gateway cached it, and a key of the other environment', async () => {
      const { id } = await found(world());
      const { key_id } = await keyOf(world(), id);
      await expect(validate(id, key_id, 'preview')).rejects.toMatchObject({ code: 'invalid_token' });
      await runInternal(revokeKey(world()), { organization_id: id, key_id });
      await expect(validate(id, key_id, 'production')).rejects.toMatchObject({ code: 'invalid_token' });
    });

    describe('of a session', () => {
      const validateSession = async (organizationId: string, userId: string) =>
        run(
          validateToken(world()),
          { params: undefined, query: undefined, body: undefined },
          {
            organizationId,
            actor: { type: 'session', id: 'subject', user_id: userId },
            person: {
              issuer: 'https://identity.example.com',
              subject: 'subject',
              email: null,
              email_verified: false,
              issued_at: '2026-11-21T07:59:00.000Z',
              expires_at: '2026-11-21T08:59:00.000Z',
              client_id: 'console',
            },
          },
        );

      it('shows the member, with the scopes of the role, and the claims of the token', async () => {
        const { id } = await found(world(), { credits: 42 });
        const { user_id } = await newMember(world(), id, 'admin', `mel-session-${id}@example.com`);
        expect(validateOperation.reply.parse(await validateSession(id, user_id))).toMatchObject({
          valid: true,
          user: { id: user_id, role: 'admin', scopes: scopesOfRole('admin'), organization_id: id },
          token: {
            type: 'session',
            environment: 'production',
            key_prefix: null,
            scopes: scopesOfRole('admin'),
            created_at: '2026-11-21T07:59:00.000Z',
            expires_at: '2026-11-21T08:59:00.000Z',
            status: 'active',
            client_id: 'console',
          },
          organization: { id, status: 'active', member_count: 2, credit_balance: 42 },
        });
      });

      it('refuses a member removed after the gateway cached them', async () => {
        const { id } = await found(world());
        const { user_id } = await newMember(world(), id, 'admin', `mel-removed-${id}@example.com`);
        await world().rows('delete from memberships where user_id = $1', [user_id]);
        await expect(validateSession(id, user_id)).rejects.toMatchObject({ code: 'invalid_token' });
      });
    });
  });
});
