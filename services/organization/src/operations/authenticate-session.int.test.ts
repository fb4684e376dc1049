import { describe, expect, it } from '@jest/globals';
import { type Role, scopesOfRole } from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { recordUses } from '../jobs/record-uses.ts';
import { findUserOfIdentity } from '../store/identities.ts';
import { found, openWorld, runInternal } from '../testing/world.ts';
import { addMember } from './add-member.ts';
import { authenticateSession } from './authenticate-session.ts';
import { bindIdentity } from './bind-identity.ts';
import { setOrganizationStatus } from './set-organization-status.ts';

const issuer = 'https://identity.example.com';

describe('sessions', () => {
  const world = sharedByTests(openWorld);

  const authenticate = (subject: string, organizationId: string, more: object = {}) =>
    runInternal(authenticateSession(world()), {
      person: { issuer, subject, email: null, email_verified: false },
      organization_id: organizationId,
      environment: 'production',
      ...more,
    });

  const bind = (email: string, subject: string, by = issuer) =>
    runInternal(bindIdentity(world()), { email, issuer: by, subject });

  /** A member with a bound subject. */
  const member = async (organizationId: string, role: Role) => {
    const email = `${role}-${uuidv7()}@example.com`;
    const setRole = (to: Role) =>
      runInternal(addMember(world()), { organization_id: organizationId, email, role: to });
    const { user_id } = await setRole(role);
    const subject = `subject-${uuidv7()}`;
    await bind(email, subject);
    return { user_id, subject, email, setRole };
  };

  describe('authenticate-session', () => {
    it.each(['production', 'preview'] as const)(
      'acts as the user in %s, with the scopes of their role',
      async (environment) => {
        const { id } = await found(world());
        const { user_id, subject } = await member(id, 'member');
        expect(await authenticate(subject, id, { environment })).toEqual({
          principal: {
            organization_id: id,
            environment,
            actor: { type: 'session', id: subject, user_id },
            role: 'member',
            scopes: scopesOfRole('member'),
          },
        });
      },
    );

    it("has the scopes of the user's current role", async () => {
      const { id } = await found(world());
      const { subject, setRole } = await member(id, 'admin');
      await setRole('viewer');
      const { principal } = await authenticate(subject, id);
      expect(principal).toMatchObject({ role: 'viewer', scopes: scopesOfRole('viewer') });
    });

    it('answers an organization of other members like one that does not exist', async () => {
      const { id } = await found(world());
      const other = await found(world());
      const { subject } = await member(id, 'admin');
      const refusal = { code: 'access_denied', facts: { required_scopes: [], user_scopes: [] } };
      const theirs = authenticate(subject, other.id);
      const nobodys = authenticate(subject, uuidv7());
      await expect(theirs).rejects.toMatchObject(refusal);
      await expect(nobodys).rejects.toMatchObject(refusal);
      expect(await theirs.catch(String)).toBe(await nobodys.catch(String));
    });

    it('refuses a subject without a binding, and the same subject of another issuer', async () => {
      const { id } = await found(world());
      const { subject } = await member(id, 'member');
      await expect(authenticate(uuidv7(), id)).rejects.toMatchObject({ code: 'access_denied' });
      const person = { issuer: 'https://other.example.com', subject, email: null, email_verified: false };
      await expect(authenticate(subject, id, { person })).rejects.toMatchObject({ code: 'access_denied' });
    });

    it('does not accept a verified address in place of a binding', async () => {
      const { id } = await found(world());
      const { email } = await member(id, 'member');
      const person = { issuer, subject: uuidv7(), email, email_verified: true };
      await expect(authenticate('', id, { person })).rejects.toMatchObject({ code: 'access_denied' });
    });

    it('refuses a former member', async () => {
      const { id } = await found(world());
      const { user_id, subject } = await member(id, 'member');
      await world().rows('delete from memberships where user_id = $1', [user_id]);
      await expect(authenticate(subject, id)).rejects.toMatchObject({ code: 'access_denied' });
    });

    it('records shortly afterwards that the user was active', async () => {
      const { id } = await found(world());
      const { user_id, subject } = await member(id, 'member');
      const lastActive = async () => {
        const [row] = await world().rows<{ last_active_at: Date | null }>(
          'select last_active_at from users where id = $1',
          [user_id],
        );
        return row?.last_active_at;
      };
      await authenticate(subject, id);
      const used = world().clock.now();
      const broken = {
        ...world(),
        database: { ...world().database, transaction: () => Promise.reject(new Error('away')) },
      };
      await expect(recordUses(broken)()).rejects.toThrow('away');
      expect(await lastActive()).toBeNull();
      world().sessionUse.note(user_id, new Date(used.getTime() - 60_000));
      await recordUses(world())();
      expect(await lastActive()).toEqual(used);
    });

    it('refuses the sessions of a suspended organization, and accepts them again after reinstatement', async () => {
      const { id } = await found(world());
      const { subject } = await member(id, 'member');
      const set = (status: string) =>
        runInternal(setOrganizationStatus(world()), { organization_id: id, status });
      await set('suspended');
      await expect(authenticate(subject, id)).rejects.toMatchObject({
        code: 'access_denied',
        facts: { required_scopes: [], user_scopes: scopesOfRole('member') },
      });
      await set('active');
      expect(await authenticate(subject, id)).toMatchObject({ principal: { organization_id: id } });
    });
  });

  describe('bind-identity', () => {
    it('creates one binding for two calls, however the address is spelled', async () => {
      const { id } = await found(world());
      const { user_id, email } = await member(id, 'viewer');
      const subject = uuidv7();
      const records = () =>
        world().rows<{ changes: object }>(
          "select changes from audit_log where organization_id = $1 and action = 'user.identity_bound' and changes ->> 'subject' = $2",
          [id, subject],
        );
      expect(await bind(email.toUpperCase(), subject)).toEqual({ user_id });
      expect(await records()).toEqual([{ changes: { issuer, subject } }]);
      expect(await bind(email, subject)).toEqual({ user_id });
      expect(await records()).toHaveLength(1);
      expect(await findUserOfIdentity(world().database, { issuer, subject })).toBe(user_id);
    });

    it('creates one binding for concurrent calls', async () => {
      const { id } = await found(world());
      const { user_id, email } = await member(id, 'viewer');
      const subject = uuidv7();
      const bound = await Promise.all(Array.from({ length: 5 }, () => bind(email, subject)));
      expect(bound).toEqual(bound.map(() => ({ user_id })));
      const records = await world().rows(
        "select id from audit_log where organization_id = $1 and changes ->> 'subject' = $2",
        [id, subject],
      );
      expect(records).toHaveLength(1);
    });

    it('leaves a subject bound to its first user', async () => {
      const { id } = await found(world());
      const first = await member(id, 'viewer');
      const second = await member(id, 'admin');
      await expect(bind(second.email, first.subject)).rejects.toMatchObject({ code: 'already_exists' });
      expect(await findUserOfIdentity(world().database, { issuer, subject: first.subject })).toBe(
        first.user_id,
      );
    });

    it('binds subjects of several providers to the same user', async () => {
      const { id } = await found(world());
      const { user_id, email, subject } = await member(id, 'viewer');
      expect(await bind(email, subject, 'https://other.example.com')).toEqual({ user_id });
    });

    it('answers not_found for an address without a user', async () => {
      await expect(bind(`${uuidv7()}@example.com`, 's')).rejects.toMatchObject({ code: 'user_not_found' });
    });
  });
});
