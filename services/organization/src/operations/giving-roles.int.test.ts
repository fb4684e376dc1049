import { describe, expect, it } from '@jest/globals';
import {
  type GrantableRole,
  isReserved,
  type Principal,
  type Role,
  type Scope,
  scopesOfRole,
} from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { auditOf, found, openWorld, runAs, runInternal } from '../testing/world.ts';
import { addMember } from './add-member.ts';
import { inviteMember } from './invite-member.ts';
import { transferOwnership } from './transfer-ownership.ts';
import { updateMember } from './update-member.ts';

describe('granting a role', () => {
  const world = sharedByTests(openWorld);

  /** An organization and its owner, with a key of these scopes or with a session. */
  const ownerWith = async (scopes: readonly Scope[], type: 'api_key' | 'session' = 'api_key') => {
    const { id, ownerId } = await found(world());
    const owner: Principal = {
      organization_id: id,
      environment: 'production',
      actor: { type, id: uuidv7(), user_id: ownerId },
      role: 'owner',
      scopes: [...scopes],
    };
    const member = async (role: Role) => {
      const person = { organization_id: id, email: `${role}-${uuidv7()}@example.com`, role };
      return (await runInternal(addMember(world()), person)).user_id;
    };
    return { id, owner, member };
  };
  const invite = (principal: Principal, role: GrantableRole) =>
    runAs(inviteMember(world()), principal, {
      params: { id: principal.organization_id },
      query: undefined,
      body: { email: `eve-${uuidv7()}@example.com`, role },
    });
  const change = (principal: Principal, user_id: string, role: Role) =>
    runAs(updateMember(world()), principal, {
      params: { id: principal.organization_id, user_id },
      query: undefined,
      body: { role },
    });
  const transfer = (principal: Principal, user_id: string) =>
    runAs(transferOwnership(world()), principal, {
      params: { id: principal.organization_id },
      query: undefined,
      body: { user_id },
    });
  const rolesIn = (id: string) =>
    world().rows<{ role: Role }>('select role from memberships where organization_id = $1 order by role', [
      id,
    ]);
  /** The scopes that a key needs to give a role, besides the operation's own. */
  const scopesGiven = (role: Role) => scopesOfRole(role).filter((scope) => !isReserved(scope));

  it.each(['viewer', 'member', 'admin'] as const)(
    'of %s by an invitation is refused to a key that lacks its scopes',
    async (role) => {
      const { id, owner } = await ownerWith(['organizations:write']);
      const missing = scopesGiven(role).filter((scope) => scope !== 'organizations:write');
      await expect(invite(owner, role)).rejects.toMatchObject({
        code: 'insufficient_scope',
        facts: { required_scopes: missing, user_scopes: ['organizations:write'] },
      });
      expect(await auditOf(world(), id)).toEqual([]);
      const able = await ownerWith(['organizations:write', ...scopesGiven(role)]);
      expect(await invite(able.owner, role)).toMatchObject({ success: true });
    },
  );

  it('to a member is refused to a key that lacks an added scope', async () => {
    const { id, owner, member } = await ownerWith(['organizations:write']);
    const [viewer, admin] = [await member('viewer'), await member('admin')];
    const before = await rolesIn(id);
    await expect(change(owner, viewer, 'admin')).rejects.toMatchObject({ code: 'insufficient_scope' });
    expect(await rolesIn(id)).toEqual(before);
    // A role with fewer scopes adds none.
    expect(await change(owner, admin, 'viewer')).toMatchObject({ role: 'viewer' });
    const added = scopesGiven('member').filter((scope) => !scopesOfRole('viewer').includes(scope));
    const able = { ...owner, scopes: ['organizations:write' as const, ...added] };
    expect(await change(able, viewer, 'member')).toMatchObject({ role: 'member' });
  });

  it('of owner is refused to a key that lacks one of its scopes, though the new owner holds it already', async () => {
    const held: Scope[] = ['organizations:write', 'organizations:transfer', 'organizations:delete'];
    const { id, owner, member } = await ownerWith(held);
    const admin = await member('admin');
    await expect(transfer(owner, admin)).rejects.toMatchObject({
      code: 'insufficient_scope',
      facts: { required_scopes: scopesGiven('owner').filter((scope) => !held.includes(scope)) },
    });
    expect((await rolesIn(id)).map((it) => it.role)).toEqual(['admin', 'owner']);
    const able = { ...owner, scopes: [...scopesOfRole('owner')] };
    expect(await transfer(able, admin)).toMatchObject({ owner: { id: admin } });
  });

  it('is allowed to a session, which holds the scopes of its own role', async () => {
    const { owner, member } = await ownerWith(scopesOfRole('owner'), 'session');
    expect(await invite(owner, 'admin')).toMatchObject({ success: true });
    expect(await change(owner, await member('viewer'), 'admin')).toMatchObject({ role: 'admin' });
    expect(await transfer(owner, await member('viewer'))).toMatchObject({ success: true });
  });
});
