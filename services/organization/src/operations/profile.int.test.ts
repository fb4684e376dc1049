import { describe, expect, it } from '@jest/globals';
import {
  getProfile as getOperation,
  listOwnOrganizations as listOperation,
  type Person,
  updateProfile as updateOperation,
} from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { auditOf, found, openWorld, run, runInternal } from '../testing/world.ts';
import { addMember } from './add-member.ts';
import { bindIdentity } from './bind-identity.ts';
import { getProfile } from './get-profile.ts';
import { listOwnOrganizations } from './list-own-organizations.ts';
import { setOrganizationStatus } from './set-organization-status.ts';
import { updateProfile } from './update-profile.ts';

describe('the profile of a session', () => {
  const world = sharedByTests(openWorld);

  /** A person who is a member of two organizations. */
  const someone = async () => {
    const organizations = [await found(world()), await found(world())];
    const email = `mel-${uuidv7()}@example.com`;
    const subject = uuidv7();
    const issuer = 'https://identity.example.com';
    for (const { id: organization_id } of organizations) {
      const member = { organization_id, email, role: 'member', first_name: 'Mel', last_name: 'Member' };
      await runInternal(addMember(world()), member);
    }
    await runInternal(bindIdentity(world()), { email, issuer, subject });
    const person: Person = { issuer, subject, email: 'another@example.com', email_verified: false };
    return { person, email, ids: organizations.map((it) => it.id) };
  };
  const read = async (person: Person) => {
    const input = { params: undefined, query: undefined, body: undefined };
    return getOperation.reply.parse(
      await run(getProfile(world()), input, { organizationId: uuidv7(), person }),
    );
  };
  const list = async (person: Person, { limit = 20, offset = 0 } = {}) => {
    const input = { params: undefined, query: { limit, offset }, body: undefined };
    return listOperation.reply.parse(
      await run(listOwnOrganizations(world()), input, { organizationId: uuidv7(), person }),
    );
  };
  const change = async (person: Person, body: { first_name?: string; last_name?: string }) => {
    const input = { params: undefined, query: undefined, body };
    return updateOperation.reply.parse(
      await run(updateProfile(world()), input, { organizationId: uuidv7(), person }),
    );
  };
  const renamings = async (id: string) =>
    (await auditOf(world(), id)).filter((line) => line.action === 'user.renamed');

  it('shows the user bound to its subject, with all their organizations', async () => {
    const { person, email, ids } = await someone();
    const shown = await read(person);
    expect(shown).toMatchObject({ email, first_name: 'Mel', last_name: 'Member', last_active: null });
    expect(shown.organizations.map((it) => [it.id, it.role])).toEqual(
      expect.arrayContaining(ids.map((id) => [id, 'member'])),
    );
    expect(shown.organizations).toHaveLength(2);
  });

  it('changes the given names, and writes the audit log of each organization', async () => {
    const { person, ids } = await someone();
    expect(await change(person, { first_name: 'Melanie' })).toMatchObject({
      first_name: 'Melanie',
      last_name: 'Member',
    });
    expect(await read(person)).toMatchObject({ first_name: 'Melanie', last_name: 'Member' });
    expect(await change(person, { first_name: 'Melanie' })).toMatchObject({ first_name: 'Melanie' });
    for (const id of ids) {
      expect(await renamings(id)).toMatchObject([
        {
          actor_type: 'session',
          actor_id: person.subject,
          changes: { first_name: 'Melanie', last_name: 'Member' },
        },
      ]);
    }
  });

  it('lists their organizations with role and environments, a page at a time, whatever the session names', async () => {
    const { person, ids } = await someone();
    const all = await list(person);
    expect(all.pagination).toEqual({ offset: 0, limit: 20, total: 2 });
    expect(new Set(all.data.map((it) => it.id))).toEqual(new Set(ids));
    for (const organization of all.data) {
      expect(organization).toMatchObject({
        status: 'active',
        role: 'member',
        environments: ['production', 'preview'],
      });
    }
    const pages = [await list(person, { limit: 1 }), await list(person, { limit: 1, offset: 1 })];
    expect(pages.flatMap((it) => it.data)).toEqual(all.data);
    expect(pages.map((it) => it.pagination.total)).toEqual([2, 2]);
  });

  it('lists a suspended organization as such', async () => {
    const { person, ids } = await someone();
    const suspended = ids[0];
    await runInternal(setOrganizationStatus(world()), { organization_id: suspended, status: 'suspended' });
    const states = new Map((await list(person)).data.map((it) => [it.id, it.status]));
    expect(states).toEqual(new Map(ids.map((id) => [id, id === suspended ? 'suspended' : 'active'])));
  });

  it('is not found for an unbound subject', async () => {
    const stranger = { ...(await someone()).person, subject: uuidv7() };
    await expect(read(stranger)).rejects.toMatchObject({ code: 'profile_not_found' });
    await expect(list(stranger)).rejects.toMatchObject({ code: 'profile_not_found' });
    await expect(change(stranger, { first_name: 'Eve' })).rejects.toMatchObject({
      code: 'profile_not_found',
    });
  });
});
