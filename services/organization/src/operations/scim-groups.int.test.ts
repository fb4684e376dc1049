import { describe, expect, it } from '@jest/globals';
import {
  type InputOf,
  listScimGroups as listOperation,
  type Principal,
  type patchScimGroup as patchOperation,
  type Role,
  type replaceScimGroup as replaceOperation,
  scimSchemas,
  scopesOfRole,
} from '@stanza/contracts';
import { until } from '@stanza/runtime/testing/wait';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { groupId } from '../domain/scim-groups.ts';
import { removeMember, setRole } from '../store/people.ts';
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
import { getScimGroup } from './get-scim-group.ts';
import { listScimGroups } from './list-scim-groups.ts';
import { patchScimGroup } from './patch-scim-group.ts';
import { patchScimUser } from './patch-scim-user.ts';
import { replaceScimGroup } from './replace-scim-group.ts';

type Operations = InputOf<typeof patchOperation>['body']['Operations'];

describe('an identity provider changing roles by groups', () => {
  const world = sharedByTests(openWorld);

  const settle = async (scopes = [...scopesOfRole('owner')]) => {
    const { id, ownerId } = await found(world());
    const actor = { type: 'api_key' as const, id: uuidv7(), user_id: ownerId };
    const provider: Principal = {
      organization_id: id,
      environment: 'production',
      actor,
      role: 'owner',
      scopes,
    };
    const add = async (role: Role) => {
      const email = `${role}-${uuidv7()}@example.com`;
      return (await runInternal(addMember(world()), { organization_id: id, email, role })).user_id;
    };
    const read = async (role: 'viewer' | 'member' | 'admin', query = {}) =>
      runAs(getScimGroup(world()), provider, { params: { id: groupId(id, role) }, query, body: undefined });
    const idsOf = async (role: 'viewer' | 'member' | 'admin') =>
      (await read(role)).members?.map(({ value }) => value);
    const patch = (role: 'viewer' | 'member' | 'admin', ...operations: Operations) =>
      runAs(patchScimGroup(world()), provider, {
        params: { id: groupId(id, role) },
        query: undefined,
        body: { Operations: operations },
      });
    const put = (role: 'viewer' | 'member' | 'admin', body: InputOf<typeof replaceOperation>['body']) =>
      runAs(replaceScimGroup(world()), provider, {
        params: { id: groupId(id, role) },
        query: undefined,
        body,
      });
    const list = async (query: Record<string, string> = {}) =>
      listOperation.reply.parse(
        await runAs(listScimGroups(world()), provider, {
          params: undefined,
          query: listOperation.query?.parse(query) ?? { startIndex: 1, count: 100 },
          body: undefined,
        }),
      );
    return { id, ownerId, provider, add, read, idsOf, patch, put, list };
  };
  const changesOf = async (id: string) =>
    (await auditOf(world(), id)).filter(({ action }) => action === 'member.role_changed');

  it('finds the roles by name, page by page, with members or without', async () => {
    const { id, add, list } = await settle();
    const ada = await add('admin');
    expect((await list()).Resources.map(({ displayName }) => displayName)).toEqual([
      'viewer',
      'member',
      'admin',
    ]);
    expect(await list({ filter: 'displayName eq "Admin"' })).toMatchObject({
      schemas: [scimSchemas.list],
      totalResults: 1,
      Resources: [
        { id: groupId(id, 'admin'), displayName: 'admin', members: [{ value: ada, type: 'User' }] },
      ],
    });
    expect(await list({ startIndex: '2', count: '1' })).toMatchObject({
      totalResults: 3,
      startIndex: 2,
      itemsPerPage: 1,
      Resources: [{ displayName: 'member' }],
    });
    expect(await list({ count: '0' })).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
    for (const nobody of ['displayName eq "owner"', 'externalId eq "x"'])
      expect(await list({ filter: nobody })).toMatchObject({ totalResults: 0, Resources: [] });
    const withoutMembers: Record<string, string>[] = [
      { excludedAttributes: 'members' },
      { attributes: 'id,displayName' },
    ];
    for (const without of withoutMembers)
      for (const group of (await list(without)).Resources) expect(group.members).toBeUndefined();
  });

  it.each<[string, (ids: string[]) => Operations]>([
    ['Okta', (ids) => [{ op: 'add', path: 'members', value: ids.map((value) => ({ value, display: 'x' })) }]],
    ['Entra ID', (ids) => ids.map((value) => ({ op: 'Add', path: 'members', value: [{ value }] }))],
    ['one without a path', (ids) => [{ op: 'add', value: { members: ids.map((value) => ({ value })) } }]],
    [
      'one with whole names',
      (ids) => [{ op: 'ADD', path: `${scimSchemas.group}:members`, value: ids.map((value) => ({ value })) }],
    ],
  ])('adds members as %s does, once', async (_, operations) => {
    const { id, add, idsOf, patch } = await settle();
    const people = [await add('viewer'), await add('viewer')];
    for (let time = 0; time < 2; time += 1) await patch('member', ...operations(people));
    expect(await idsOf('member')).toEqual(people);
    expect(await idsOf('viewer')).toEqual([]);
    expect(await changesOf(id)).toMatchObject([
      { subject_id: people[0], changes: { role: { from: 'viewer', to: 'member' }, by: 'scim' } },
      { subject_id: people[1] },
    ]);
    expect(await eventsOf(world(), id)).toEqual([accessChangedSubject, accessChangedSubject]);
  });

  it.each<[string, (id: string) => Operations]>([
    ['by a filter in the path', (id) => [{ op: 'remove', path: `members[value eq "${id}"]` }]],
    ['by a list', (id) => [{ op: 'Remove', path: 'members', value: [{ value: id }] }]],
    ['by naming nobody', () => [{ op: 'remove', path: 'members' }]],
    ['by replacing all', () => [{ op: 'replace', path: 'members', value: [] }]],
  ])('takes members out %s, who are viewers then', async (_, operations) => {
    const { id, add, idsOf, patch } = await settle();
    const ada = await add('admin');
    for (let time = 0; time < 2; time += 1) await patch('admin', ...operations(ada));
    expect([await idsOf('admin'), await idsOf('viewer')]).toEqual([[], [ada]]);
    expect(await changesOf(id)).toHaveLength(1);
  });

  it('moves a person between groups in whichever order the two requests come', async () => {
    const { add, idsOf, patch } = await settle();
    const person = await add('admin');
    const out = { op: 'remove', path: `members[value eq "${person}"]` };
    const into = { op: 'add', path: 'members', value: [{ value: person }] };
    await patch('admin', out);
    await patch('member', into);
    expect(await idsOf('member')).toEqual([person]);
    await patch('admin', into);
    await patch('member', out);
    expect(await idsOf('admin')).toEqual([person]);
  });

  it.each<[string, (ids: string[]) => Operations]>([
    ['a patch', (ids) => ids.map((id) => ({ op: 'remove', path: `members[value eq "${id}"]` }))],
    ['a replacement', () => [{ op: 'replace', path: 'members', value: [] }]],
  ])(
    'takes out by %s who is still in the group, and not who is moved or removed at that moment',
    async (_, out) => {
      const { id, add, idsOf, patch } = await settle();
      const [stays, moved, gone] = [await add('admin'), await add('admin'), await add('admin')];
      const { patched } = await world().database.transaction(async (tx) => {
        await setRole(tx, id, moved, 'member');
        await removeMember(tx, id, gone, world().clock.now());
        const running = patch('admin', ...out([stays, moved, gone]));
        await until(async () => {
          const waiting = await world().rows(
            "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
          );
          return waiting.length > 0;
        });
        return { patched: running };
      });
      await patched;
      expect([await idsOf('admin'), await idsOf('member'), await idsOf('viewer')]).toEqual([
        [],
        [moved],
        [stays],
      ]);
    },
  );

  it('replaces a group by PUT, and changes nothing where it names no members', async () => {
    const { add, idsOf, put } = await settle();
    const [one, two] = [await add('member'), await add('viewer')];
    await put('member', { schemas: [scimSchemas.group], displayName: 'member' });
    expect(await idsOf('member')).toEqual([one]);
    await put('member', { displayName: 'member', members: [{ value: two }] });
    expect([await idsOf('member'), await idsOf('viewer')]).toEqual([[two], [one]]);
  });

  it('The name of a group is taken in any case, as the filter does', async () => {
    const { id, add, idsOf, patch, put } = await settle();
    const person = await add('viewer');
    // As Okta pushes a group that was linked by its name.
    await patch('admin', { op: 'replace', value: { id: groupId(id, 'admin'), displayName: 'Admin' } });
    await put('admin', { displayName: 'ADMIN', members: [{ value: person }] });
    expect(await idsOf('admin')).toEqual([person]);
  });

  it('gives a deactivated person the role in which they come back', async () => {
    const { provider, add, idsOf, patch } = await settle();
    const ada = await add('admin');
    const setActive = (value: boolean) =>
      runAs(patchScimUser(world()), provider, {
        params: { id: ada },
        query: undefined,
        body: { Operations: [{ op: 'replace', path: 'active', value }] },
      });
    await setActive(false);
    expect(await idsOf('admin')).toEqual([ada]);
    await patch('admin', { op: 'remove', path: `members[value eq "${ada}"]` });
    expect(await setActive(true)).toMatchObject({ active: true, roles: [{ value: 'viewer' }] });
  });

  it('gives no role that its key lacks a scope of, and changes nothing then', async () => {
    const { id, add, idsOf, patch } = await settle(['users:provision']);
    const [ada, bea] = [await add('admin'), await add('viewer')];
    await expect(
      patch(
        'admin',
        { op: 'remove', path: `members[value eq "${ada}"]` },
        { op: 'add', path: 'members', value: [{ value: bea }] },
      ),
    ).rejects.toMatchObject({ code: 'insufficient_scope' });
    expect([await idsOf('admin'), await changesOf(id)]).toEqual([[ada], []]);
  });

  it('changes neither the owner nor the name of a group, nor people of others', async () => {
    const { ownerId, patch, put } = await settle();
    const other = await settle();
    const stranger = await other.add('viewer');
    const issue = (code: string) => ({ code: 'validation_failed', facts: { issues: [{ code }] } });
    const into = (value: unknown) => patch('viewer', { op: 'add', path: 'members', value });
    await expect(into([{ value: ownerId }])).rejects.toMatchObject(issue('mutability'));
    await expect(patch('viewer', { op: 'replace', path: 'displayName', value: 'x' })).rejects.toMatchObject(
      issue('mutability'),
    );
    await expect(put('viewer', { displayName: 'x' })).rejects.toMatchObject(issue('mutability'));
    const many = Array.from({ length: 1_001 }, () => ({ value: uuidv7() }));
    for (const value of [[{ value: stranger }], [{ value: 'no-uuid' }], [{}], 7, many])
      await expect(into(value)).rejects.toMatchObject(issue('custom'));
    await expect(patch('viewer', { op: 'remove' })).rejects.toMatchObject(issue('noTarget'));
    for (const path of ['members[type eq "User"]', 'members.display'])
      await expect(patch('viewer', { op: 'add', path, value: 'x' })).rejects.toMatchObject(
        issue('invalidPath'),
      );
    const foreign = { params: { id: groupId(other.id, 'admin') }, query: {}, body: undefined };
    const { provider } = await settle();
    await expect(runAs(getScimGroup(world()), provider, foreign)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
