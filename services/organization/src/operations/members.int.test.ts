import { describe, expect, it } from '@jest/globals';
import {
  apiKeyDigest,
  deleteUser as deleteOperation,
  getUser as getOperation,
  listMembers as listOperation,
  type Principal,
  type Role,
  scopesOfRole,
  transferOwnership as transferOperation,
  updateMember as updateOperation,
} from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import {
  accessChangedSubject,
  auditOf,
  eventsOf,
  found,
  openWorld,
  runAs,
  runInternal,
} from '../testing/world.ts';
import { addMember } from './add-member.ts';
import { authenticateKey } from './authenticate-key.ts';
import { createKey } from './create-key.ts';
import { deleteUser } from './delete-user.ts';
import { getUser } from './get-user.ts';
import { listMembers } from './list-members.ts';
import { transferOwnership } from './transfer-ownership.ts';
import { updateMember } from './update-member.ts';

describe('members of an organization', () => {
  const world = sharedByTests(openWorld);

  const principalOf = (organization_id: string, user_id: string, role: Role): Principal => ({
    organization_id,
    environment: 'production',
    actor: { type: 'api_key', id: uuidv7(), user_id },
    role,
    scopes: [...scopesOfRole(role)],
  });
  const join = async (organization_id: string, role: Role, email = `${role}-${uuidv7()}@example.com`) =>
    (await runInternal(addMember(world()), { organization_id, email, role, first_name: 'Mel' })).user_id;

  /** An organization with its owner, an admin and a member. */
  const team = async () => {
    const { id, ownerId } = await found(world());
    const [adminId, memberId] = [await join(id, 'admin'), await join(id, 'member')];
    return {
      id,
      ownerId,
      adminId,
      memberId,
      owner: principalOf(id, ownerId, 'owner'),
      admin: principalOf(id, adminId, 'admin'),
    };
  };
  const keyOf = (organization_id: string, user_id: string, environment = 'production') =>
    runInternal(createKey(world()), { organization_id, user_id, environment, name: 'a key' });
  const authenticate = async ({ key }: { key: string }) =>
    (await runInternal(authenticateKey(world()), { key_digest: apiKeyDigest(key) })).principal;
  /** Audit entries since the team was created. */
  const recorded = async (id: string) => {
    const made = new Set(['member.added', 'api_key.created']);
    return (await auditOf(world(), id)).filter((line) => !made.has(line.action));
  };

  const update = async (principal: Principal, id: string, user_id: string, role: Role) =>
    updateOperation.reply.parse(
      await runAs(updateMember(world()), principal, {
        params: { id, user_id },
        query: undefined,
        body: { role },
      }),
    );
  const remove = async (principal: Principal, id: string) =>
    deleteOperation.reply.parse(
      await runAs(deleteUser(world()), principal, { params: { id }, query: undefined, body: undefined }),
    );
  const transfer = async (principal: Principal, id: string, user_id: string) =>
    transferOperation.reply.parse(
      await runAs(transferOwnership(world()), principal, {
        params: { id },
        query: undefined,
        body: { user_id },
      }),
    );
  const read = async (principal: Principal, id: string) =>
    getOperation.reply.parse(
      await runAs(getUser(world()), principal, { params: { id }, query: undefined, body: undefined }),
    );
  const list = async (principal: Principal, id: string, query: { role?: Role; limit?: number } = {}) =>
    listOperation.reply.parse(
      await runAs(listMembers(world()), principal, {
        params: { id },
        query: { limit: 20, offset: 0, ...query },
        body: undefined,
      }),
    );

  describe('list-members and get-user', () => {
    it('show every field of the members, the longest first, by role and page', async () => {
      const { id, owner, ownerId, memberId } = await team();
      const { data, pagination } = await list(owner, id);
      expect(data.map((user) => user.role)).toEqual(['owner', 'admin', 'member']);
      const now = world().clock.now().toISOString();
      expect(data[0]).toEqual({
        id: ownerId,
        organization_id: id,
        email: expect.stringMatching(/^owner-/),
        first_name: 'Olive',
        last_name: 'Owner',
        role: 'owner',
        created_at: now,
        joined_at: now,
        last_active: null,
      });
      expect(pagination).toEqual({ offset: 0, limit: 20, total: 3 });
      expect(await list(owner, id, { role: 'member' })).toMatchObject({
        data: [{ id: memberId }],
        pagination: { total: 1 },
      });
      expect((await list(owner, id, { limit: 1 })).data).toHaveLength(1);
      expect(await read(owner, ownerId)).toEqual(data[0]);
    });

    it('answer not_found for another organization and its users', async () => {
      const [one, other] = [await team(), await team()];
      await expect(list(one.owner, other.id)).rejects.toMatchObject({ code: 'organization_not_found' });
      await expect(read(one.owner, other.memberId)).rejects.toMatchObject({ code: 'user_not_found' });
    });
  });

  describe('update-member', () => {
    it('changes the role, limits every key to it, notifies the gateways and writes the audit log, once', async () => {
      const { id, admin, adminId, memberId } = await team();
      const keys = [await keyOf(id, memberId), await keyOf(id, memberId, 'preview')];
      expect((await authenticate(keys[0] ?? { key: '' })).scopes).toContain('messages:create');
      expect(await update(admin, id, memberId, 'viewer')).toMatchObject({ id: memberId, role: 'viewer' });
      expect(await update(admin, id, memberId, 'viewer')).toMatchObject({ role: 'viewer' });
      for (const key of keys) {
        const principal = await authenticate(key);
        expect([principal.role, principal.scopes.includes('messages:create')]).toEqual(['viewer', false]);
      }
      expect(await eventsOf(world(), id)).toEqual([accessChangedSubject]);
      expect(await recorded(id)).toMatchObject([
        {
          action: 'member.role_changed',
          environment: null,
          actor_user_id: adminId,
          subject_id: memberId,
          changes: { role: { from: 'member', to: 'viewer' } },
        },
      ]);
    });

    it("neither creates nor changes an owner, and grants no role above the caller's", async () => {
      const { id, owner, admin, ownerId, memberId } = await team();
      const manager = { ...admin, role: 'member' } as const;
      const refused = [
        update(owner, id, memberId, 'owner'),
        update(admin, id, ownerId, 'viewer'),
        update(owner, id, ownerId, 'admin'),
        update(manager, id, memberId, 'admin'),
      ];
      for (const attempt of refused) {
        await expect(attempt).rejects.toMatchObject({
          code: 'access_denied',
          facts: { required_scopes: [], user_scopes: expect.any(Array) },
        });
      }
      expect((await list(owner, id)).data.map((user) => user.role)).toEqual(['owner', 'admin', 'member']);
      expect(await recorded(id)).toEqual([]);
      expect(await eventsOf(world(), id)).toEqual([]);
    });

    it('answers not_found for another organization and its users', async () => {
      const [one, other] = [await team(), await team()];
      await expect(update(one.owner, other.id, other.memberId, 'viewer')).rejects.toMatchObject({
        code: 'organization_not_found',
      });
      await expect(update(one.owner, one.id, other.memberId, 'viewer')).rejects.toMatchObject({
        code: 'user_not_found',
      });
      expect((await read(other.owner, other.memberId)).role).toBe('member');
    });
  });

  describe('delete-user', () => {
    it('removes the member and revokes their keys of this organization only, once', async () => {
      const [here, there] = [await team(), await team()];
      const email = `both-${uuidv7()}@example.com`;
      const both = await join(here.id, 'admin', email);
      expect(await join(there.id, 'member', email)).toBe(both);
      const keys = [await keyOf(here.id, both), await keyOf(here.id, both, 'preview')];
      const [elsewhere, of] = [await keyOf(there.id, both), await keyOf(here.id, here.memberId)];
      expect(await remove(here.owner, both)).toEqual({ success: true, id: both });
      await expect(remove(here.owner, both)).rejects.toMatchObject({ code: 'user_not_found' });
      for (const key of keys) {
        await expect(authenticate(key)).rejects.toMatchObject({ code: 'invalid_token' });
      }
      expect((await authenticate(elsewhere)).organization_id).toBe(there.id);
      expect((await authenticate(of)).organization_id).toBe(here.id);
      expect((await list(here.owner, here.id)).data.map((user) => user.id)).not.toContain(both);
      expect((await read(there.owner, both)).email).toBe(email);
      expect(await eventsOf(world(), here.id)).toEqual([accessChangedSubject]);
      const [line, ...more] = await recorded(here.id);
      expect(more).toEqual([]);
      expect(line).toMatchObject({ action: 'member.removed', subject_id: both, environment: null });
      expect(line?.changes).toMatchObject({ role: 'admin' });
      expect(new Set(Object(line?.changes).revoked_keys)).toEqual(new Set(keys.map((key) => key.key_id)));
    });

    it('restores no key when the person joins again', async () => {
      const { id, owner } = await team();
      const email = `back-${uuidv7()}@example.com`;
      const user = await join(id, 'member', email);
      const key = await keyOf(id, user);
      await remove(owner, user);
      expect(await join(id, 'member', email)).toBe(user);
      await expect(authenticate(key)).rejects.toMatchObject({ code: 'invalid_token' });
    });

    it('also revokes a key that is being created during the removal', async () => {
      const { id, owner } = await team();
      for (let round = 0; round < 20; round += 1) {
        const email = `back-${uuidv7()}@example.com`;
        const user = await join(id, 'member', email);
        const [made] = await Promise.allSettled([keyOf(id, user), remove(owner, user)]);
        await join(id, 'member', email);
        if (made.status === 'rejected') continue;
        await expect(authenticate(made.value)).rejects.toMatchObject({ code: 'invalid_token' });
      }
    });

    it('happens once for concurrent calls', async () => {
      const { id, owner, memberId } = await team();
      const attempts = await Promise.allSettled([1, 2, 3].map(() => remove(owner, memberId)));
      expect(attempts.filter((it) => it.status === 'fulfilled')).toHaveLength(1);
      expect(await recorded(id)).toHaveLength(1);
    });

    it('refuses to remove the owner and users of another organization', async () => {
      const [one, other] = [await team(), await team()];
      await expect(remove(one.admin, one.ownerId)).rejects.toMatchObject({ code: 'access_denied' });
      await expect(remove(one.owner, other.memberId)).rejects.toMatchObject({ code: 'user_not_found' });
      expect((await list(other.owner, other.id)).pagination.total).toBe(3);
      expect([...(await recorded(one.id)), ...(await recorded(other.id))]).toEqual([]);
    });
  });

  describe('transfer-ownership', () => {
    it('makes the member owner and the owner admin, notifies the gateways and writes the audit log', async () => {
      const { id, owner, ownerId, memberId } = await team();
      const [old, made] = [await keyOf(id, ownerId), await keyOf(id, memberId)];
      expect(await transfer(owner, id, memberId)).toMatchObject({
        success: true,
        owner: { id: memberId, role: 'owner' },
        previous_owner: { id: ownerId, role: 'admin' },
      });
      expect([(await authenticate(old)).role, (await authenticate(made)).role]).toEqual(['admin', 'owner']);
      expect(await eventsOf(world(), id)).toEqual([accessChangedSubject]);
      expect(await recorded(id)).toMatchObject([
        {
          action: 'organization.ownership_transferred',
          subject_id: id,
          changes: { owner_id: { from: ownerId, to: memberId } },
        },
      ]);
    });

    it('changes nothing when the new owner is the current one', async () => {
      const { id, owner, ownerId } = await team();
      expect(await transfer(owner, id, ownerId)).toMatchObject({ owner: { id: ownerId, role: 'owner' } });
      expect(await recorded(id)).toEqual([]);
    });

    it('lets one of two concurrent transfers happen, and leaves one owner', async () => {
      const { id, owner, adminId, memberId } = await team();
      const attempts = await Promise.allSettled([adminId, memberId].map((to) => transfer(owner, id, to)));
      expect(attempts.map((it) => it.status).sort()).toEqual(['fulfilled', 'rejected']);
      expect((await list(owner, id, { role: 'owner' })).data).toHaveLength(1);
    });

    it('is refused to callers other than the owner, to non-members and for another organization', async () => {
      const [one, other] = [await team(), await team()];
      await expect(transfer(one.admin, one.id, one.adminId)).rejects.toMatchObject({ code: 'access_denied' });
      await expect(transfer(one.owner, one.id, other.memberId)).rejects.toMatchObject({
        code: 'user_not_found',
      });
      await expect(transfer(one.owner, other.id, other.memberId)).rejects.toMatchObject({
        code: 'organization_not_found',
      });
      expect((await read(one.owner, one.ownerId)).role).toBe('owner');
    });
  });
});
