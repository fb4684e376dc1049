import { describe, expect, it } from '@jest/globals';
import { acceptInvitation as acceptOperation, type Person, type Role, scopesOfRole } from '@stanza/contracts';
import { sharedByTests } from '@stanza/test-kit/shared';
import { v7 as uuidv7 } from 'uuid';
import { findUserOfIdentity } from '../store/identities.ts';
import { auditOf, found, openWorld, runAs, runInternal } from '../testing/world.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { addMember } from './add-member.ts';
import { authenticateSession } from './authenticate-session.ts';
import { bindIdentity } from './bind-identity.ts';
import { createOrganization } from './create-organization.ts';
import { createScimUser } from './create-scim-user.ts';
import { inviteMember } from './invite-member.ts';
import { replaceScimUser } from './replace-scim-user.ts';

const issuer = 'https://identity.example.com';

describe('a verified address', () => {
  const world = sharedByTests(openWorld);

  const newAddress = () => `olivia-${uuidv7()}@example.com`;
  const personOf = (email: string): Person => ({
    issuer,
    subject: `subject-${uuidv7()}`,
    email,
    email_verified: true,
  });
  /** Another organization with a member of that address. */
  const withMember = async (email: string, role: Role = 'admin') => {
    const { id } = await found(world());
    const member = { organization_id: id, email, role };
    return { id, userId: (await runInternal(addMember(world()), member)).user_id };
  };
  const bind = (email: string, { subject }: Person) =>
    runInternal(bindIdentity(world()), { email, issuer, subject });

  /** The attacker's organization invites the address. */
  const invite = async (email: string, into?: { id: string; ownerId: string }) => {
    const { id, ownerId } = into ?? (await found(world()));
    const principal = {
      organization_id: id,
      environment: 'production' as const,
      actor: { type: 'session' as const, id: 'beacon', user_id: ownerId },
      role: 'owner' as const,
      scopes: [...scopesOfRole('owner')],
    };
    const body = { email, role: 'viewer' as const };
    const made = await runAs(inviteMember(world()), principal, { params: { id }, query: undefined, body });
    const accept = async (person: Person) =>
      acceptOperation.reply.parse(
        await runAs(
          acceptInvitation(world()),
          principal,
          { params: undefined, query: undefined, body: { invitation_id: made.invitation_id } },
          person,
        ),
      );
    return { id, accept };
  };
  const signIn = (person: Person, organization_id: string) =>
    runInternal(authenticateSession(world()), { person, organization_id, environment: 'production' });
  const setActive = (organization_id: string, id: string, active: boolean) => {
    const provider = {
      organization_id,
      environment: 'production' as const,
      actor: { type: 'api_key' as const, id: uuidv7() },
      role: 'owner' as const,
      scopes: [...scopesOfRole('owner')],
    };
    return runAs(replaceScimUser(world()), provider, { params: { id }, query: undefined, body: { active } });
  };
  const bindings = async (organizationId: string) =>
    (await auditOf(world(), organizationId)).filter((line) => line.action === 'user.identity_bound');

  it('does not make another subject the user who already signs in', async () => {
    const [email, olivia] = [newAddress(), personOf('')];
    const acme = await withMember(email);
    await bind(email, olivia);
    const before = await auditOf(world(), acme.id);
    const beacon = await invite(email);
    const attacker = personOf(email);
    await expect(beacon.accept(attacker)).rejects.toMatchObject({
      code: 'access_denied',
      message: expect.stringContaining('operator'),
      facts: { required_scopes: [], user_scopes: [] },
    });
    for (const id of [acme.id, beacon.id]) {
      await expect(signIn(attacker, id)).rejects.toMatchObject({ code: 'access_denied' });
    }
    expect(await findUserOfIdentity(world().database, attacker)).toBeUndefined();
    expect(await auditOf(world(), acme.id)).toEqual(before);
    // The invitation is still open to its intended recipient.
    const joined = await beacon.accept({ ...olivia, email });
    expect(joined).toMatchObject({ user_id: acme.userId, organization_id: beacon.id });
    expect((await signIn(olivia, acme.id)).principal.actor.user_id).toBe(acme.userId);
  });

  it('does not make a subject a member who has never signed in', async () => {
    const email = newAddress();
    const acme = await withMember(email);
    const beacon = await invite(email);
    const attacker = personOf(email);
    await expect(beacon.accept(attacker)).rejects.toMatchObject({ code: 'access_denied' });
    await expect(signIn(attacker, acme.id)).rejects.toMatchObject({ code: 'access_denied' });
    await bind(email, attacker);
    expect(await beacon.accept(attacker)).toMatchObject({ user_id: acme.userId });
  });

  it('does not make a subject a deactivated member who has never signed in', async () => {
    const email = newAddress();
    const acme = await withMember(email);
    await setActive(acme.id, acme.userId, false);
    const beacon = await invite(email);
    const attacker = personOf(email);
    await expect(beacon.accept(attacker)).rejects.toMatchObject({ code: 'access_denied' });
    await setActive(acme.id, acme.userId, true);
    await expect(signIn(attacker, acme.id)).rejects.toMatchObject({ code: 'access_denied' });
    expect(await findUserOfIdentity(world().database, attacker)).toBeUndefined();
  });

  /** An organization adds the address over SCIM. */
  const provision = async (email: string) => {
    const { id: organization_id, ownerId } = await found(world());
    const { id } = await runAs(
      createScimUser(world()),
      {
        organization_id,
        environment: 'production',
        actor: { type: 'api_key', id: uuidv7() },
        role: 'owner',
        scopes: [...scopesOfRole('owner')],
      },
      { params: undefined, query: undefined, body: { userName: email } },
    );
    return { id: organization_id, userId: id, ownerId };
  };

  it('that was added over SCIM signs in by an invitation of the same organization, in the role given', async () => {
    const email = newAddress();
    const acme = await provision(email);
    const olivia = personOf(email);
    const { accept } = await invite(email, acme);
    expect(await accept(olivia)).toMatchObject({ user_id: acme.userId, role: 'viewer' });
    expect((await signIn(olivia, acme.id)).principal.actor.user_id).toBe(acme.userId);
    await expect(invite(email, acme)).rejects.toMatchObject({ code: 'already_exists' });
  });

  it('is not kept from other organizations by one that adds it over SCIM, and deactivates it', async () => {
    for (const isDeactivated of [false, true]) {
      const email = newAddress();
      const squatter = await provision(email);
      if (isDeactivated) await setActive(squatter.id, squatter.userId, false);
      const beacon = await invite(email);
      const olivia = personOf(email);
      expect(await beacon.accept(olivia)).toMatchObject({ user_id: squatter.userId });
      expect((await signIn(olivia, beacon.id)).principal.actor.user_id).toBe(squatter.userId);
      expect(await bindings(squatter.id)).toHaveLength(1);
    }
  });

  it('that an operator has named is not given to a subject, whoever adds it over SCIM before or after', async () => {
    for (const isFirst of [false, true]) {
      const email = newAddress();
      if (isFirst) await provision(email);
      const acme = await withMember(email);
      if (!isFirst) await expect(provision(email)).rejects.toMatchObject({ code: 'already_exists' });
      const beacon = await invite(email);
      const attacker = personOf(email);
      await expect(beacon.accept(attacker)).rejects.toMatchObject({ code: 'access_denied' });
      await expect(signIn(attacker, acme.id)).rejects.toMatchObject({ code: 'access_denied' });
    }
  });

  it('bound by the operator is audited also where its user was deactivated', async () => {
    const [email, olivia] = [newAddress(), personOf('')];
    const acme = await withMember(email);
    await setActive(acme.id, acme.userId, false);
    await bind(email, olivia);
    expect(await bindings(acme.id)).toMatchObject([{ changes: { issuer, subject: olivia.subject } }]);
  });

  it('taken first by a subject is added by the operator only with a confirmation of the subject', async () => {
    const email = newAddress();
    const attacker = personOf(email);
    const beacon = await invite(email);
    const { user_id } = await beacon.accept(attacker);
    const { id } = await found(world());
    const adding = { organization_id: id, email, role: 'admin' };
    const owning = { name: `Test ${uuidv7()}`, tier: 'free', owner_email: email };
    for (const attempt of [
      runInternal(addMember(world()), adding),
      runInternal(createOrganization(world()), owning),
    ]) {
      await expect(attempt).rejects.toMatchObject({
        code: 'already_exists',
        message: expect.stringContaining(`${attacker.subject} of ${issuer}`),
      });
    }
    await expect(signIn(attacker, id)).rejects.toMatchObject({ code: 'access_denied' });
    expect(await auditOf(world(), id)).toEqual([]);
    expect(await runInternal(addMember(world()), { ...adding, existing: true })).toEqual({ user_id });
    const identities = [{ issuer, subject: attacker.subject }];
    expect(await auditOf(world(), id)).toMatchObject([
      { action: 'member.added', changes: { role: 'admin', identities } },
    ]);
    // A member's identity is confirmed already: another role needs no confirmation.
    expect(await runInternal(addMember(world()), { ...adding, role: 'viewer' })).toEqual({ user_id });
    expect(await runInternal(createOrganization(world()), { ...owning, existing: true })).toMatchObject({
      user_id,
      created: true,
    });
  });

  it('without a user goes to the first of two concurrent subjects only', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = newAddress();
      const invitations = [await invite(email), await invite(email)];
      const people = [personOf(email), personOf(email)];
      const attempts = await Promise.allSettled(
        invitations.map(({ accept }, at) => accept(people[at] ?? personOf(email))),
      );
      expect(attempts.map((it) => it.status).sort()).toEqual(['fulfilled', 'rejected']);
      const bound = await Promise.all(people.map((it) => findUserOfIdentity(world().database, it)));
      expect(bound.filter((it) => it !== undefined)).toHaveLength(1);
    }
  });

  it('without a user is bound once by a subject that accepts two invitations concurrently', async () => {
    const email = newAddress();
    const person = personOf(email);
    const invitations = [await invite(email), await invite(email)];
    const joined = await Promise.all(invitations.map(({ accept }) => accept(person)));
    expect(joined[0]?.user_id).toBe(joined[1]?.user_id);
    const lines = await Promise.all(invitations.map(({ id }) => bindings(id)));
    expect(lines.flat()).toHaveLength(1);
  });

  it("that becomes a user is audited in that user's organizations", async () => {
    const email = newAddress();
    const person = personOf(email);
    const { id, accept } = await invite(email);
    const { user_id } = await accept(person);
    await accept(person);
    expect(await bindings(id)).toMatchObject([
      {
        environment: null,
        actor_type: 'session',
        actor_id: person.subject,
        actor_user_id: user_id,
        subject_kind: 'user',
        subject_id: user_id,
        changes: { issuer, subject: person.subject },
      },
    ]);
    const other = await invite(email);
    await other.accept(person);
    expect(await bindings(other.id)).toEqual([]);
  });

  it('gets a further subject from the operator only, visible to every organization of the user', async () => {
    const [email, first, second] = [newAddress(), personOf(''), personOf('')];
    const acme = await withMember(email);
    await bind(email, first);
    const beacon = await invite(email);
    await beacon.accept({ ...first, email });
    await bind(email, second);
    for (const { id } of [acme, beacon]) {
      expect((await bindings(id)).at(-1)).toMatchObject({
        actor_type: 'system',
        subject_id: acme.userId,
        changes: { issuer, subject: second.subject },
      });
    }
    expect((await signIn(second, acme.id)).principal.actor.user_id).toBe(acme.userId);
  });
});
