import { describe, expect, it } from '@jest/globals';
import {
  apiKeyDigest,
  type createScimUser as createOperation,
  type InputOf,
  listScimUsers as listOperation,
  type Principal,
  type patchScimUser as patchOperation,
  scimSchemas,
  scopesOfRole,
} from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { groupId } from '../domain/scim-groups.ts';
import { forgetUsers } from '../jobs/forget-users.ts';
import {
  accessChangedSubject,
  auditOf,
  eventsOf,
  found,
  openWorld,
  runAs,
  runInternal,
} from '../testing/world.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { addMember } from './add-member.ts';
import { authenticateKey } from './authenticate-key.ts';
import { authenticateSession } from './authenticate-session.ts';
import { bindIdentity } from './bind-identity.ts';
import { createApiKey } from './create-api-key.ts';
import { createScimUser } from './create-scim-user.ts';
import { deleteScimUser } from './delete-scim-user.ts';
import { deleteUser } from './delete-user.ts';
import { getScimUser } from './get-scim-user.ts';
import { inviteMember } from './invite-member.ts';
import { listMembers } from './list-members.ts';
import { listScimUsers } from './list-scim-users.ts';
import { patchScimUser } from './patch-scim-user.ts';
import { replaceScimUser } from './replace-scim-user.ts';

const issuer = 'https://identity.example.com';
const queryOf = (given: Record<string, string>) => {
  if (!listOperation.query) throw new TypeError('the operation takes no query');
  return listOperation.query.parse(given);
};
const unknown = { code: 'user_not_found' };

describe('an identity provider managing members', () => {
  const world = sharedByTests(openWorld);

  /** An organization, the principal of its provisioning key, and a member with a key and a session. */
  const settle = async (role = 'admin') => {
    const { id, ownerId } = await found(world());
    const provider: Principal = {
      organization_id: id,
      environment: 'production',
      actor: { type: 'api_key', id: uuidv7(), user_id: ownerId },
      role: 'owner',
      scopes: [...scopesOfRole('owner')],
    };
    const email = `ada-${uuidv7()}@example.com`;
    const { user_id } = await runInternal(addMember(world()), { organization_id: id, email, role });
    await runInternal(bindIdentity(world()), { email, issuer, subject: user_id });
    const ada: Principal = {
      ...provider,
      actor: { type: 'session', id: user_id, user_id },
      role: 'admin',
      scopes: [...scopesOfRole('admin')],
    };
    const body = { name: 'CI', scopes: ['templates:read' as const] };
    const { key } = await runAs(createApiKey(world()), ada, { params: undefined, query: undefined, body });
    return { id, ownerId, provider, user_id, email, ada, key };
  };
  type Settled = Awaited<ReturnType<typeof settle>>;

  const person = (subject: string) => ({ issuer, subject, email: null, email_verified: false });
  const signIn = ({ id, user_id }: Settled) =>
    runInternal(authenticateSession(world()), {
      person: person(user_id),
      organization_id: id,
      environment: 'production',
    });
  const useKey = ({ key }: Settled) =>
    runInternal(authenticateKey(world()), { key_digest: apiKeyDigest(key) });
  const get = (principal: Principal, id: string) =>
    runAs(getScimUser(world()), principal, { params: { id }, query: undefined, body: undefined });
  const patch = (
    principal: Principal,
    id: string,
    ...Operations: InputOf<typeof patchOperation>['body']['Operations']
  ) => runAs(patchScimUser(world()), principal, { params: { id }, query: undefined, body: { Operations } });
  const create = (principal: Principal, body: InputOf<typeof createOperation>['body']) =>
    runAs(createScimUser(world()), principal, { params: undefined, query: undefined, body });
  const setActive = (principal: Principal, id: string, value: unknown) =>
    patch(principal, id, { op: 'replace', path: 'active', value });
  const put = (principal: Principal, id: string, body: Record<string, unknown>) =>
    runAs(replaceScimUser(world()), principal, { params: { id }, query: undefined, body });
  const remove = (principal: Principal, id: string) =>
    runAs(deleteScimUser(world()), principal, { params: { id }, query: undefined, body: undefined });
  const list = async (principal: Principal, query: Record<string, string> = {}) =>
    listOperation.reply.parse(
      await runAs(listScimUsers(world()), principal, {
        params: undefined,
        query: queryOf(query),
        body: undefined,
      }),
    );
  const changesOf = async (id: string) =>
    (await auditOf(world(), id)).filter(({ action }) => /^member\.(de|re)/.test(action));

  it('finds a member by address, in any case, and reads them', async () => {
    const { id, provider, user_id, email } = await settle();
    const shown = {
      schemas: [scimSchemas.user],
      id: user_id,
      userName: email,
      name: { givenName: '', familyName: '' },
      emails: [{ value: email, type: 'work', primary: true }],
      roles: [{ value: 'admin', primary: true }],
      groups: [{ value: groupId(id, 'admin'), display: 'admin' }],
      active: true,
      meta: { resourceType: 'User', created: '2026-11-21T08:00:00.000Z', location: `Users/${user_id}` },
    };
    expect(await get(provider, user_id)).toEqual(shown);
    const filter = `USERNAME eq "${email.toUpperCase()}"`;
    expect(await list(provider, { filter })).toEqual({
      schemas: [scimSchemas.list],
      totalResults: 1,
      startIndex: 1,
      itemsPerPage: 1,
      Resources: [shown],
    });
    const byWork = `emails[type eq "work"].value eq "${email}"`;
    expect(await list(provider, { filter: byWork })).toMatchObject({ Resources: [shown] });
    for (const nobody of ['userName eq "eve@example.com"', 'externalId eq "00u1"']) {
      expect(await list(provider, { filter: nobody })).toMatchObject({ totalResults: 0, Resources: [] });
    }
    expect(await list(provider, { startIndex: '2', count: '5' })).toMatchObject({
      Resources: [{ id: user_id }],
    });
  });

  const foundBy = async (principal: Principal, externalId: string) =>
    (await list(principal, { filter: `externalId eq "${externalId}"` })).Resources.map(({ id }) => id);

  it('keeps what the provider calls a person, finds them by it exactly, and answers it', async () => {
    const [one, other] = [await settle(), await settle()];
    const body = { userName: `bo-${uuidv7()}@example.com`, externalId: '00uBo' };
    const { id, externalId } = await create(one.provider, body);
    expect(externalId).toBe('00uBo');
    expect(await foundBy(one.provider, '00uBo')).toEqual([id]);
    expect(await foundBy(one.provider, '00ubo')).toEqual([]);
    expect(await foundBy(other.provider, '00uBo')).toEqual([]);
    const { user_id, provider } = one;
    const urn = `${scimSchemas.user}:externalId`;
    expect(await patch(provider, user_id, { op: 'add', path: urn, value: 'ada-1' })).toMatchObject({
      externalId: 'ada-1',
    });
    expect(await patch(provider, user_id, { op: 'Replace', value: { externalId: 'ada-2' } })).toMatchObject({
      externalId: 'ada-2',
    });
    expect(await put(provider, user_id, { active: false, externalId: 'ada-3' })).toMatchObject({
      externalId: 'ada-3',
      active: false,
    });
    expect(await foundBy(provider, 'ada-3')).toEqual([user_id]);
    expect(await put(provider, user_id, { active: true })).toMatchObject({ externalId: 'ada-3' });
    expect(await patch(provider, user_id, { op: 'remove', path: 'externalId' })).not.toHaveProperty(
      'externalId',
    );
    await expect(put(provider, user_id, { externalId: 7 })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    await remove(provider, id);
    expect(await world().rows('select from external_ids where user_id = $1', [id])).toEqual([]);
    await put(provider, user_id, { externalId: 'ada-4' });
    await removeAsOwner(one);
    expect(await world().rows('select from external_ids where user_id = $1', [user_id])).toEqual([]);
  });

  it.each([
    [{ startIndex: '0', count: '1' }, 1],
    [{ startIndex: '-7' }, 2],
    [{ count: '1000' }, 2],
    [{ count: '9'.repeat(400) }, 2],
    [{ count: '-1' }, 0],
  ])('returns the nearest page for %j', async (query: Record<string, string>, itemsPerPage) => {
    const { provider } = await settle();
    expect(await list(provider, query)).toMatchObject({ totalResults: 2, startIndex: 1, itemsPerPage });
  });

  it.each(['', 'all', '1.5', '1e2'])('refuses a count of %j', (count) => {
    expect(() => queryOf({ count })).toThrow('must be a whole number');
  });

  it('ends the sessions and keys of a deactivated member, and notifies every gateway', async () => {
    const settled = await settle();
    const { id, provider, user_id } = settled;
    await signIn(settled);
    await useKey(settled);
    expect(await setActive(provider, user_id, false)).toMatchObject({ id: user_id, active: false });
    await expect(signIn(settled)).rejects.toMatchObject({ code: 'access_denied' });
    await expect(useKey(settled)).rejects.toMatchObject({ code: 'invalid_token' });
    expect(await eventsOf(world(), id)).toEqual([accessChangedSubject]);
    expect(await get(provider, user_id)).toMatchObject({ active: false, roles: [{ value: 'admin' }] });
    expect(await list(provider, { filter: `userName eq "${settled.email}"` })).toMatchObject({
      Resources: [{ id: user_id, active: false }],
    });
    expect(await changesOf(id)).toMatchObject([
      {
        action: 'member.deactivated',
        actor_id: provider.actor.id,
        subject_id: user_id,
        changes: { role: 'admin', revoked_keys: [expect.any(String)], by: 'scim' },
      },
    ]);
  });

  it('deactivates once, however often and however many callers ask concurrently', async () => {
    const { id, provider, user_id } = await settle();
    await Promise.all([1, 2, 3].map(() => setActive(provider, user_id, false)));
    await put(provider, user_id, { active: 'False' });
    expect(await changesOf(id)).toHaveLength(1);
    expect(await eventsOf(world(), id)).toHaveLength(1);
  });

  it.each<[string, InputOf<typeof patchOperation>['body']['Operations']]>([
    ['Entra ID', [{ op: 'Replace', path: 'active', value: 'False' }]],
    ['Okta', [{ op: 'replace', value: { active: false } }]],
    [
      'one that changes more',
      [
        { op: 'add', path: 'displayName', value: 'Ada' },
        { op: 'replace', value: { 'name.givenName': 'Ada', active: false } },
        { op: 'remove', path: 'title' },
      ],
    ],
    ['one with whole names', [{ op: 'replace', path: `${scimSchemas.user}:active`, value: false }]],
  ])('understands %s', async (_, operations) => {
    const { provider, user_id } = await settle();
    expect(await patch(provider, user_id, ...operations)).toMatchObject({ active: false });
  });

  it('refuses to remove what it does not name', async () => {
    const { provider, user_id } = await settle();
    await expect(
      patch(provider, user_id, { op: 'remove', value: { externalId: 'ada' } }),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      facts: { issues: [{ code: 'noTarget', path: ['Operations', 0] }] },
    });
    expect(await get(provider, user_id)).not.toHaveProperty('externalId');
  });

  it('refuses a value that is not a boolean, and removing the attribute', async () => {
    const { provider, user_id } = await settle();
    for (const value of ['no', 1, null, {}, undefined]) {
      await expect(setActive(provider, user_id, value)).rejects.toMatchObject({ code: 'validation_failed' });
    }
    await expect(patch(provider, user_id, { op: 'remove', path: 'active' })).rejects.toMatchObject({
      code: 'validation_failed',
    });
    expect(await get(provider, user_id)).toMatchObject({ active: true });
  });

  it('A reactivation restores the role and the day of joining, but neither keys nor invitations', async () => {
    const settled = await settle();
    const { id, provider, user_id } = settled;
    const { meta } = await get(provider, user_id);
    world().clock.passSeconds(1);
    await setActive(provider, user_id, false);
    for (let time = 0; time < 2; time += 1) {
      expect(await put(provider, user_id, { active: true })).toMatchObject({ active: true, meta });
    }
    expect((await signIn(settled)).principal).toMatchObject({ role: 'admin', actor: { user_id } });
    await expect(useKey(settled)).rejects.toMatchObject({ code: 'invalid_token' });
    expect((await changesOf(id)).map(({ action }) => action)).toEqual([
      'member.deactivated',
      'member.reactivated',
    ]);
  });

  it('revokes invitations that the member made or received', async () => {
    const settled = await settle();
    const { id, provider, ada, email, user_id } = settled;
    const invite = (address: string) =>
      runAs(inviteMember(world()), ada, {
        params: { id },
        query: undefined,
        body: { email: address, role: 'member' },
      });
    const friend = `friend-${uuidv7()}@example.com`;
    const made = await invite(friend);
    await world().rows(
      `insert into invitations (id, organization_id, email, role, status, token_hash, created_at, expires_at)
       values ($1, $2, $3, 'admin', 'pending', $4, now(), '2099-01-01')`,
      [uuidv7(), id, email, Buffer.from(uuidv7())],
    );
    await setActive(provider, user_id, false);
    const [waiting] = await world().rows<{ count: number }>(
      "select count(*) from invitations where organization_id = $1 and status = 'pending'",
      [id],
    );
    expect(waiting).toEqual({ count: 0 });
    const accepting = runAs(
      acceptInvitation(world()),
      provider,
      { params: undefined, query: undefined, body: { invitation_id: made.invitation_id } },
      { ...person(user_id), email: friend, email_verified: true },
    );
    await expect(accepting).rejects.toMatchObject({ code: 'invalid_state' });
    expect((await changesOf(id))[0]?.changes).toMatchObject({ revoked_invitations: 2 });
  });

  it('deactivates the owner, who comes back as an admin, and the operator names another', async () => {
    const { id, ownerId, provider, user_id, email } = await settle();
    expect(await setActive(provider, ownerId, false)).toMatchObject({ active: false });
    const owners = () =>
      world().rows("select user_id from memberships where organization_id = $1 and role = 'owner'", [id]);
    expect(await owners()).toEqual([]);
    await runInternal(addMember(world()), { organization_id: id, email, role: 'owner' });
    expect(await owners()).toEqual([{ user_id }]);
    expect(await setActive(provider, ownerId, true)).toMatchObject({ roles: [{ value: 'admin' }] });
  });

  it('adds a viewer once, and no role that the key lacks', async () => {
    const { provider, email } = await settle();
    const narrow: Principal = { ...provider, scopes: ['users:provision'] };
    const userName = `Grace-${uuidv7()}@example.com`;
    const name = { givenName: 'Grace', familyName: 'Hopper' };
    expect(await create(narrow, { userName, name })).toMatchObject({
      userName: userName.toLowerCase(),
      name,
      roles: [{ value: 'viewer' }],
      active: true,
    });
    for (const known of [userName, email])
      await expect(create(narrow, { userName: known })).rejects.toMatchObject({ code: 'already_exists' });
    const admin = { userName: `admin-${uuidv7()}@example.com`, roles: [{ value: 'admin' as const }] };
    await expect(create(narrow, admin)).rejects.toMatchObject({ code: 'insufficient_scope' });
    expect(await create(provider, admin)).toMatchObject({ roles: [{ value: 'admin' }] });
  });

  it('asks a person with access elsewhere by an invitation alone, who signs in or whom an operator has added', async () => {
    const [{ id, email }, other] = [await settle(), await settle()];
    const named = `named-${uuidv7()}@example.com`;
    await runInternal(addMember(world()), { organization_id: id, email: named, role: 'viewer' });
    for (const userName of [email, named]) {
      const message = 'The person has access here already: invite them.';
      await expect(create(other.provider, { userName })).rejects.toMatchObject({
        code: 'already_exists',
        facts: { message },
      });
    }
  });

  it('adds a person who is not active yet, and lets them in once they are', async () => {
    const { id, provider } = await settle();
    const body = { userName: `grace-${uuidv7()}@example.com`, roles: [{ value: 'member' as const }] };
    const added = await create(provider, { ...body, active: 'False' });
    expect(added).toMatchObject({ active: false, roles: [{ value: 'member' }] });
    const enters = () =>
      runInternal(authenticateSession(world()), {
        person: person(added.id),
        organization_id: id,
        environment: 'production',
      });
    await runInternal(bindIdentity(world()), { email: body.userName, issuer, subject: added.id });
    await expect(enters()).rejects.toMatchObject({ code: 'access_denied' });
    expect(await setActive(provider, added.id, true)).toMatchObject({ active: true });
    expect(await enters()).toMatchObject({ principal: { role: 'member' } });
    const other = { userName: `ada-${uuidv7()}@example.com`, active: 'perhaps' };
    await expect(create(provider, other)).rejects.toMatchObject({ code: 'validation_failed' });
  });

  it('is told which attributes it cannot change, and may repeat them', async () => {
    const { provider, user_id, email } = await settle();
    const mutability = { facts: { issues: [{ code: 'mutability' }] } };
    for (const change of [{ userName: 'other@example.com' }, { roles: [{ value: 'viewer' }] }])
      await expect(put(provider, user_id, change)).rejects.toMatchObject(mutability);
    await expect(
      patch(provider, user_id, { op: 'replace', value: { userName: 'other@example.com' } }),
    ).rejects.toMatchObject(mutability);
    // As some providers write it.
    const path = 'roles[primary eq "True"].value';
    await expect(patch(provider, user_id, { op: 'replace', path, value: 'viewer' })).rejects.toMatchObject(
      mutability,
    );
    expect(await patch(provider, user_id, { op: 'replace', path, value: 'admin' })).toMatchObject({
      active: true,
    });
    const same = {
      userName: email.toUpperCase(),
      roles: [{ value: 'Admin' }],
      displayName: 'Ada',
      active: true,
    };
    expect(await put(provider, user_id, same)).toMatchObject({ userName: email, active: true });
  });

  it.each<[string, (settled: Settled, body: Record<string, unknown>) => Promise<unknown>]>([
    ['PUT', ({ provider, user_id }, body) => put(provider, user_id, { ...body, active: false })],
    [
      'PATCH',
      ({ provider, user_id }, value) =>
        patch(provider, user_id, { op: 'replace', value }, { op: 'replace', path: 'active', value: 'False' }),
    ],
  ])(
    'A person whose address or role the provider calls otherwise is deactivated by %s',
    async (_, deactivate) => {
      const settled = await settle();
      const { email } = settled;
      const otherwise = { userName: 'married@example.com', roles: [{ value: 'member' }] };
      expect(await deactivate(settled, otherwise)).toMatchObject({
        userName: email,
        roles: [{ value: 'admin' }],
        active: false,
      });
      await expect(signIn(settled)).rejects.toMatchObject({ code: 'access_denied' });
    },
  );

  it('removes for good, including a deactivated member', async () => {
    const [one, two] = [await settle(), await settle()];
    await remove(one.provider, one.user_id);
    await expect(signIn(one)).rejects.toMatchObject({ code: 'access_denied' });
    await expect(useKey(one)).rejects.toMatchObject({ code: 'invalid_token' });
    await setActive(two.provider, two.user_id, false);
    await remove(two.provider, two.user_id);
    for (const { provider, user_id, id } of [one, two]) {
      await expect(get(provider, user_id)).rejects.toMatchObject(unknown);
      await expect(setActive(provider, user_id, true)).rejects.toMatchObject(unknown);
      await expect(remove(provider, user_id)).rejects.toMatchObject(unknown);
      expect((await auditOf(world(), id)).at(-1)).toMatchObject({ action: 'member.removed' });
    }
  });

  it('leaves nothing of a removed person whom no organization names any more', async () => {
    const [{ provider }, other] = [await settle(), await settle()];
    const added = async () => {
      const userName = `gone-${uuidv7()}@example.com`;
      return { userName, id: (await create(provider, { userName })).id };
    };
    const [gone, elsewhere, inactive] = [await added(), await added(), await added()];
    await create(other.provider, { userName: elsewhere.userName });
    await runInternal(bindIdentity(world()), { email: gone.userName, issuer, subject: gone.id });
    await remove(provider, gone.id);
    await remove(provider, elsewhere.id);
    await setActive(provider, inactive.id, false);
    await forgetUsers(world())();
    const left = await world().rows<{ email: string }>(
      'select email from users where email = any ($1) order by id',
      [[gone.userName, elsewhere.userName, inactive.userName]],
    );
    expect(left.map(({ email }) => email)).toEqual([elsewhere.userName, inactive.userName]);
    // Another person of the address may come, and the person themselves.
    expect(await create(provider, { userName: gone.userName })).toMatchObject({ active: true });
  });

  /** The owner invites the person again, and the person accepts. */
  const rejoin = async ({ id, ownerId, provider, email, user_id }: Settled, role: 'viewer' | 'member') => {
    const owner: Principal = { ...provider, actor: { type: 'session', id: ownerId, user_id: ownerId } };
    const { invitation_id } = await runAs(inviteMember(world()), owner, {
      params: { id },
      query: undefined,
      body: { email, role },
    });
    await runAs(
      acceptInvitation(world()),
      owner,
      { params: undefined, query: undefined, body: { invitation_id } },
      { ...person(user_id), email, email_verified: true },
    );
  };
  const removeAsOwner = ({ provider, user_id: id }: Settled) =>
    runAs(deleteUser(world()), provider, { params: { id }, query: undefined, body: undefined });

  it('does not restore a role from before a later membership', async () => {
    const settled = await settle();
    const { provider, user_id } = settled;
    await setActive(provider, user_id, false);
    await rejoin(settled, 'viewer');
    expect(await world().rows('select 1 from deactivated_members where user_id = $1', [user_id])).toEqual([]);
    expect(await setActive(provider, user_id, true)).toMatchObject({
      active: true,
      roles: [{ value: 'viewer' }],
    });
    await removeAsOwner(settled);
    await expect(setActive(provider, user_id, true)).rejects.toMatchObject(unknown);
    await expect(signIn(settled)).rejects.toMatchObject({ code: 'access_denied' });
  });

  it('does not restore a member who joined through a process of the previous version and was removed', async () => {
    const settled = await settle();
    const { id, provider, user_id } = settled;
    await setActive(provider, user_id, false);
    // The previous version creates members and leaves the deactivation record in place.
    await world().rows(
      `insert into memberships (organization_id, user_id, role, created_at) values ($1, $2, 'viewer', now())`,
      [id, user_id],
    );
    await removeAsOwner(settled);
    await expect(setActive(provider, user_id, true)).rejects.toMatchObject(unknown);
  });

  it('does not restore a user whom the previous version deleted with another organization', async () => {
    const { id, provider, user_id } = await settle();
    await setActive(provider, user_id, false);
    await world().rows('delete from api_keys where user_id = $1', [user_id]);
    await world().rows('delete from users where id = $1', [user_id]);
    await expect(setActive(provider, user_id, true)).rejects.toMatchObject(unknown);
    await expect(get(provider, user_id)).rejects.toMatchObject(unknown);
    expect((await list(provider)).totalResults).toBe(1);
    await remove(provider, user_id);
    expect((await auditOf(world(), id)).at(-1)).toMatchObject({ action: 'member.removed' });
  });

  it('does not restore a member whom the owner removed while they were deactivated', async () => {
    const settled = await settle();
    const { id, provider, user_id, email } = settled;
    await setActive(provider, user_id, false);
    await world().rows(
      `insert into invitations (id, organization_id, email, role, status, token_hash, created_at, expires_at)
       values ($1, $2, $3, 'admin', 'pending', $4, now(), '2099-01-01')`,
      [uuidv7(), id, email, Buffer.from(uuidv7())],
    );
    expect(await removeAsOwner(settled)).toEqual({ success: true, id: user_id });
    expect((await auditOf(world(), id)).at(-1)).toMatchObject({
      action: 'member.removed',
      subject_id: user_id,
      changes: { role: 'admin', revoked_keys: [], revoked_invitations: 1 },
    });
    await expect(setActive(provider, user_id, true)).rejects.toMatchObject(unknown);
    await expect(removeAsOwner(settled)).rejects.toMatchObject(unknown);
  });

  it('reaches no user of another organization, including members of both', async () => {
    const [one, other] = [await settle(), await settle()];
    await runInternal(addMember(world()), {
      organization_id: other.id,
      email: one.email,
      role: 'viewer',
      existing: true,
    });
    await setActive(other.provider, one.user_id, false);
    expect((await signIn(one)).principal).toMatchObject({ role: 'admin' });
    await useKey(one);
    for (const attempt of [
      get(other.provider, one.ownerId),
      setActive(other.provider, one.ownerId, false),
      remove(other.provider, one.ownerId),
    ]) {
      await expect(attempt).rejects.toMatchObject(unknown);
    }
  });

  it('reads no name that another organization has given a person, until they sign in', async () => {
    const [theirs, ours] = [await settle(), await settle()];
    const userName = `named-${theirs.id}@example.com`;
    const add = ({ provider }: Settled, givenName: string) =>
      create(provider, { userName, name: { givenName, familyName: 'Byron' } });
    const nameIn = async ({ provider }: Settled) =>
      (await list(provider, { filter: `userName eq "${userName}"` })).Resources[0]?.name;

    await add(theirs, 'Ada');
    const nameless = { givenName: '', familyName: '' };
    expect(await add(ours, 'Augusta')).toMatchObject({ userName, name: nameless });
    expect([await nameIn(ours), (await nameIn(theirs))?.givenName]).toEqual([nameless, 'Ada']);
    const members = await runAs(listMembers(world()), ours.provider, {
      params: { id: ours.id },
      query: { limit: 100, offset: 0 },
      body: undefined,
    });
    expect(JSON.stringify(members)).not.toContain('Byron');

    await runInternal(bindIdentity(world()), { email: userName, issuer, subject: userName });
    expect((await nameIn(ours))?.givenName).toBe('Ada');
  });
});
