import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  acceptInvitation as acceptOperation,
  type GrantableRole,
  inviteMember as inviteOperation,
  listInvitations as listOperation,
  type Person,
  type Principal,
  scopesOfRole,
} from '@stanza/contracts';
import { v7 as uuidv7 } from 'uuid';
import type { Mail } from '../mail.ts';
import {
  accessChangedSubject,
  auditOf,
  eventsOf,
  found,
  openWorld,
  runAs,
  runInternal,
  type World,
} from '../testing/world.ts';
import { acceptInvitation } from './accept-invitation.ts';
import { addMember } from './add-member.ts';
import { authenticateSession } from './authenticate-session.ts';
import { deleteUser } from './delete-user.ts';
import { inviteMember } from './invite-member.ts';
import { listInvitations } from './list-invitations.ts';
import { revokeInvitation } from './revoke-invitation.ts';
import { setOrganizationStatus } from './set-organization-status.ts';
import { updateMember } from './update-member.ts';

const weekMs = 7 * 86_400_000;

describe('invitations', () => {
  let world: World;
  /** Mails accepted by the mail server while it is available. */
  const mails: Mail[] = [];
  let hasMailServer = true;

  beforeAll(async () => {
    const opened = await openWorld();
    const send = async (mail: Mail) => {
      if (hasMailServer) mails.push(mail);
      return hasMailServer;
    };
    world = { ...opened, mailer: { send, close: () => undefined } };
  });
  afterAll(() => world.close());

  const ownerOf = async (): Promise<Principal> => {
    const { id, ownerId } = await found(world);
    return {
      organization_id: id,
      environment: 'production',
      actor: { type: 'api_key', id: uuidv7(), user_id: ownerId },
      role: 'owner',
      scopes: [...scopesOfRole('owner')],
    };
  };
  const newAddress = () => `ada-${uuidv7()}@example.com`;
  const personOf = (email: string | null, more: Partial<Person> = {}): Person => ({
    issuer: 'https://identity.example.com',
    subject: `subject of ${email} ${uuidv7()}`,
    email,
    email_verified: true,
    ...more,
  });

  const invite = async (
    principal: Principal,
    email: string,
    role: GrantableRole = 'member',
    id = principal.organization_id,
  ) =>
    inviteOperation.reply.parse(
      await runAs(inviteMember(world), principal, {
        params: { id },
        query: undefined,
        body: { email, role, message: 'Join us.' },
      }),
    );
  const list = async (principal: Principal, status?: 'pending' | 'accepted' | 'revoked' | 'expired') =>
    listOperation.reply.parse(
      await runAs(listInvitations(world), principal, {
        params: { id: principal.organization_id },
        query: { limit: 20, offset: 0, status },
        body: undefined,
      }),
    ).data;
  const revoke = (principal: Principal, invitation_id: string, id = principal.organization_id) =>
    runAs(revokeInvitation(world), principal, {
      params: { id, invitation_id },
      query: undefined,
      body: undefined,
    });
  const accept = async (
    person: Person,
    body: { token?: string; invitation_id?: string; dry_run?: boolean },
  ) =>
    acceptOperation.reply.parse(
      await runAs(
        acceptInvitation(world),
        await ownerOf(),
        { params: undefined, query: undefined, body },
        person,
      ),
    );
  const tokenTo = (email: string): string => {
    const mail = mails.find((it) => it.to === email);
    const link = /https:\S+/.exec(mail?.text ?? '')?.[0];
    return new URL(link ?? '').searchParams.get('token') ?? '';
  };
  const actions = async ({ organization_id }: Principal) =>
    (await auditOf(world, organization_id)).map((line) => line.action);

  describe('invite-member', () => {
    it('sends the token by mail and stores only its hash; the list shows every field', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      const made = await invite(owner, email.toUpperCase(), 'admin');
      expect(made).toMatchObject({ success: true, email_sent: true, message: expect.any(String) });
      const mail = mails.find((it) => it.to === email);
      expect(mail?.text).toContain('by Olive Owner to join Test ');
      expect(mail?.text).toContain('Join us.');
      const now = world.clock.now();
      expect(await list(owner)).toEqual([
        {
          id: made.invitation_id,
          organization_id: owner.organization_id,
          email,
          role: 'admin',
          status: 'pending',
          message: 'Join us.',
          invited_by: owner.actor.user_id,
          created_at: now.toISOString(),
          expires_at: new Date(now.getTime() + weekMs).toISOString(),
          accepted_at: null,
          revoked_at: null,
        },
      ]);
      const [row] = await world.rows<{ all: string }>(
        'select invitations::text as all from invitations where id = $1',
        [made.invitation_id],
      );
      const token = tokenTo(email);
      expect(token).toHaveLength(43);
      expect(row?.all).not.toContain(token);
      const lines = await auditOf(world, owner.organization_id);
      expect(lines).toMatchObject([
        {
          action: 'invitation.created',
          environment: null,
          actor_user_id: owner.actor.user_id,
          subject_id: made.invitation_id,
          changes: { email, role: 'admin' },
        },
      ]);
      expect(JSON.stringify(lines)).not.toContain(token);
    });

    it('is created without a mail server, and reports that no mail was sent', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      hasMailServer = false;
      const made = await invite(owner, email).finally(() => {
        hasMailServer = true;
      });
      expect(made.email_sent).toBe(false);
      expect(await list(owner, 'pending')).toMatchObject([{ id: made.invitation_id }]);
      const joined = await accept(personOf(email), { invitation_id: made.invitation_id });
      expect(joined.organization_id).toBe(owner.organization_id);
    });

    it('is refused while another one for the address is pending, and possible after its revocation or expiry', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      const first = await invite(owner, email);
      await expect(invite(owner, email.toUpperCase())).rejects.toMatchObject({ code: 'invitation_pending' });
      await revoke(owner, first.invitation_id);
      const second = await invite(owner, email);
      world.clock.pass(weekMs);
      const third = await invite(owner, email);
      expect((await list(owner)).map((it) => [it.id, it.status])).toEqual([
        [third.invitation_id, 'pending'],
        [second.invitation_id, 'expired'],
        [first.invitation_id, 'revoked'],
      ]);
    });

    it('is created once for concurrent calls', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      const attempts = await Promise.allSettled([1, 2, 3, 4].map(() => invite(owner, email)));
      const refused = attempts.filter((it) => it.status === 'rejected').map((it) => it.reason);
      expect(refused).toHaveLength(3);
      for (const reason of refused) expect(reason).toMatchObject({ code: 'invitation_pending' });
      expect(mails.filter((mail) => mail.to === email)).toHaveLength(1);
    });

    it('is refused for a member, for another organization, and for callers below the role', async () => {
      const [owner, other] = [await ownerOf(), await ownerOf()];
      const email = newAddress();
      await runInternal(addMember(world), { organization_id: owner.organization_id, email, role: 'viewer' });
      await expect(invite(owner, email)).rejects.toMatchObject({ code: 'already_exists' });
      await expect(invite(owner, newAddress(), 'member', other.organization_id)).rejects.toMatchObject({
        code: 'organization_not_found',
      });
      const member = { ...owner, role: 'member' } as const;
      await expect(invite(member, newAddress(), 'admin')).rejects.toMatchObject({ code: 'access_denied' });
      expect(await list(other)).toEqual([]);
    });

    it.each(['owner', 'superuser', undefined])('refuses the role %j', (role) => {
      const parsed = inviteOperation.body?.safeParse({ email: 'ada@example.com', role });
      expect(parsed?.error?.issues).toMatchObject([{ path: ['role'] }]);
    });
  });

  describe('list-invitations', () => {
    it('filters by current status', async () => {
      const owner = await ownerOf();
      const old = await invite(owner, newAddress());
      world.clock.pass(weekMs);
      const open = await invite(owner, newAddress());
      const idsOf = async (status: 'pending' | 'expired' | 'accepted') =>
        (await list(owner, status)).map((it) => it.id);
      expect(await idsOf('pending')).toEqual([open.invitation_id]);
      expect(await idsOf('expired')).toEqual([old.invitation_id]);
      expect(await idsOf('accepted')).toEqual([]);
    });
  });

  describe('revoke-invitation', () => {
    it('revokes it once, with an audit entry', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      const { invitation_id } = await invite(owner, email);
      expect(await revoke(owner, invitation_id)).toEqual({ success: true, id: invitation_id });
      expect(await revoke(owner, invitation_id)).toEqual({ success: true, id: invitation_id });
      expect(await actions(owner)).toEqual(['invitation.created', 'invitation.revoked']);
      await expect(accept(personOf(email), { token: tokenTo(email) })).rejects.toMatchObject({
        code: 'invalid_state',
        message: expect.stringContaining('revoked'),
      });
    });

    it('is refused for an accepted or expired one', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      const { invitation_id } = await invite(owner, email);
      await accept(personOf(email), { invitation_id });
      const late = await invite(owner, newAddress());
      world.clock.pass(weekMs);
      for (const id of [invitation_id, late.invitation_id]) {
        await expect(revoke(owner, id)).rejects.toMatchObject({ code: 'invalid_state' });
      }
    });

    it("answers another organization's invitation as not found", async () => {
      const [owner, other] = [await ownerOf(), await ownerOf()];
      const { invitation_id } = await invite(owner, newAddress());
      await expect(revoke(other, invitation_id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(revoke(other, invitation_id, owner.organization_id)).rejects.toMatchObject({
        code: 'organization_not_found',
      });
      expect(await list(owner, 'pending')).toHaveLength(1);
    });
  });

  describe('accept-invitation', () => {
    const sessionOf = (person: Person, organization_id: string) =>
      runInternal(authenticateSession(world), { person, organization_id, environment: 'production' });

    it('makes the person a member whose sessions work at once, and writes the audit log', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      const { organization_id } = owner;
      const { invitation_id } = await invite(owner, email, 'admin');
      const person = personOf(email.toUpperCase());
      await expect(sessionOf(person, organization_id)).rejects.toMatchObject({ code: 'access_denied' });
      const joined = await accept(person, { token: tokenTo(email) });
      expect(joined).toMatchObject({ success: true, organization_id, role: 'admin' });
      expect((await sessionOf(person, organization_id)).principal).toMatchObject({
        role: 'admin',
        actor: { type: 'session', id: person.subject, user_id: joined.user_id },
      });
      expect(await eventsOf(world, organization_id)).toEqual([accessChangedSubject]);
      expect((await auditOf(world, organization_id)).at(-1)).toMatchObject({
        action: 'invitation.accepted',
        actor_type: 'session',
        actor_id: person.subject,
        actor_user_id: joined.user_id,
        subject_id: invitation_id,
      });
      expect(await list(owner, 'accepted')).toMatchObject([{ id: invitation_id, revoked_at: null }]);
    });

    it('in a dry run names who invites, and changes nothing', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      const { invitation_id } = await invite(owner, email, 'admin');
      const person = personOf(email);
      const recorded = await actions(owner);
      const named = {
        organization_id: owner.organization_id,
        organization_name: expect.stringMatching(/^Test /),
      };
      const looked = await accept(person, { invitation_id, dry_run: true });
      expect(looked).toEqual({ success: true, ...named, user_id: null, role: 'admin' });
      expect(await accept(person, { token: tokenTo(email), dry_run: true })).toEqual(looked);
      expect(await list(owner)).toMatchObject([{ id: invitation_id, status: 'pending' }]);
      expect(await actions(owner)).toEqual(recorded);
      await expect(sessionOf(person, owner.organization_id)).rejects.toMatchObject({ code: 'access_denied' });
      const { user_id } = await accept(person, { invitation_id });
      expect(await accept(person, { invitation_id, dry_run: true })).toMatchObject({
        user_id,
        role: 'admin',
      });
    });

    it('in a dry run names the organization to nobody but the person of the address', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      const { invitation_id } = await invite(owner, email);
      const other = personOf(newAddress());
      const look = (person: Person, name: { token?: string; invitation_id?: string }) =>
        accept(person, { ...name, dry_run: true });
      await expect(look(other, { invitation_id })).rejects.toMatchObject({ code: 'not_found' });
      await expect(look(other, { token: tokenTo(email) })).rejects.toMatchObject({ code: 'access_denied' });
      await expect(look(personOf(email, { email_verified: false }), { invitation_id })).rejects.toMatchObject(
        {
          code: 'access_denied',
        },
      );
      await revoke(owner, invitation_id);
      await expect(look(personOf(email), { invitation_id })).rejects.toMatchObject({ code: 'invalid_state' });
    });

    it('is idempotent for the same person and refused to another', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      await invite(owner, email);
      const [person, token] = [personOf(email), tokenTo(email)];
      const answers = await Promise.all([1, 2, 3].map(() => accept(person, { token })));
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(await actions(owner)).toEqual([
        'invitation.created',
        'user.identity_bound',
        'invitation.accepted',
      ]);
      await expect(accept(personOf(newAddress()), { token })).rejects.toMatchObject({
        code: 'access_denied',
      });
    });

    it('does not restore a member removed since', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      await invite(owner, email);
      const [person, token] = [personOf(email), tokenTo(email)];
      const { user_id } = await accept(person, { token });
      const params = { id: user_id ?? '' };
      await runAs(deleteUser(world), owner, { params, query: undefined, body: undefined });
      await expect(accept(person, { token })).rejects.toMatchObject({ code: 'access_denied' });
      await expect(sessionOf(person, owner.organization_id)).rejects.toMatchObject({
        code: 'access_denied',
      });
    });

    it('requires an address that the identity provider has verified', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      const { invitation_id } = await invite(owner, email);
      for (const person of [personOf(email, { email_verified: false }), personOf(null)]) {
        await expect(accept(person, { invitation_id })).rejects.toMatchObject({
          code: 'access_denied',
          facts: { required_scopes: [], user_scopes: [] },
        });
      }
      expect(await list(owner, 'pending')).toHaveLength(1);
    });

    it('reveals an invitation to no other person: by id it is not found, by token it is for another address', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      const { invitation_id } = await invite(owner, email);
      const other = personOf(newAddress());
      await expect(accept(other, { invitation_id })).rejects.toMatchObject({ code: 'not_found' });
      await expect(accept(other, { invitation_id: uuidv7() })).rejects.toMatchObject({ code: 'not_found' });
      await expect(accept(other, { token: tokenTo(email) })).rejects.toMatchObject({ code: 'access_denied' });
      await expect(accept(personOf(email), { token: 'made up' })).rejects.toMatchObject({
        code: 'not_found',
      });
      const mixed = { token: tokenTo(email), invitation_id: uuidv7() };
      await expect(accept(personOf(email), mixed)).rejects.toMatchObject({ code: 'not_found' });
      expect(await list(owner, 'pending')).toHaveLength(1);
    });

    it('is refused after the expiry, and changes nothing', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      const { invitation_id } = await invite(owner, email);
      world.clock.pass(weekMs);
      const person = personOf(email);
      await expect(accept(person, { invitation_id })).rejects.toMatchObject({ code: 'invalid_state' });
      const bound = await world.rows('select * from user_identities where subject = $1', [person.subject]);
      expect(bound).toEqual([]);
      expect(await actions(owner)).toEqual(['invitation.created']);
    });

    it('is refused while the organization is suspended', async () => {
      const owner = await ownerOf();
      const email = newAddress();
      const { invitation_id } = await invite(owner, email);
      const { organization_id } = owner;
      await runInternal(setOrganizationStatus(world), { organization_id, status: 'suspended' });
      await expect(accept(personOf(email), { invitation_id })).rejects.toMatchObject({
        code: 'access_denied',
      });
    });

    it('adds another organization to the user of the same subject, and keeps their other roles', async () => {
      const [one, two] = [await ownerOf(), await ownerOf()];
      const [email, newer] = [newAddress(), newAddress()];
      await invite(one, email);
      const person = personOf(email);
      const { user_id } = await accept(person, { token: tokenTo(email) });
      await invite(two, newer, 'viewer');
      const moved = { ...person, email: newer };
      expect((await accept(moved, { token: tokenTo(newer) })).user_id).toBe(user_id);
      const again = newAddress();
      await invite(one, again, 'viewer');
      expect(await accept({ ...person, email: again }, { token: tokenTo(again) })).toMatchObject({
        user_id,
        role: 'member',
      });
    });
  });

  /** An admin with an invitation, and its status. */
  const anInviter = async () => {
    const owner = await ownerOf();
    const { organization_id } = owner;
    const email = newAddress();
    const { user_id } = await runInternal(addMember(world), { organization_id, email, role: 'admin' });
    const admin: Principal = {
      ...owner,
      role: 'admin',
      scopes: [...scopesOfRole('admin')],
      actor: { type: 'api_key', id: uuidv7(), user_id },
    };
    const { invitation_id } = await invite(admin, newAddress());
    const status = async () => {
      const [row] = await world.rows<{ status: string }>('select status from invitations where id = $1', [
        invitation_id,
      ]);
      return row?.status;
    };
    return { owner, admin, user_id, email, status };
  };
  const remove = (owner: Principal, id: string) =>
    runAs(deleteUser(world), owner, { params: { id }, query: undefined, body: undefined });
  const change = (owner: Principal, user_id: string, role: GrantableRole) =>
    runAs(updateMember(world), owner, {
      params: { id: owner.organization_id, user_id },
      query: undefined,
      body: { role },
    });

  it('end with the membership of their author', async () => {
    const { owner, user_id, status } = await anInviter();
    await remove(owner, user_id);
    expect(await status()).toBe('revoked');
    const lines = await auditOf(world, owner.organization_id);
    expect(lines.at(-1)).toMatchObject({ action: 'member.removed', changes: { revoked_invitations: 1 } });
  });

  it('end when their author loses the right to invite, and not before', async () => {
    const { owner, user_id, status } = await anInviter();
    await change(owner, user_id, 'admin');
    expect(await status()).toBe('pending');
    await change(owner, user_id, 'member');
    expect(await status()).toBe('revoked');
  });

  it('end when an operator takes the right to invite from their author, and not before', async () => {
    const { owner, email, status } = await anInviter();
    const give = (role: GrantableRole) =>
      runInternal(addMember(world), { organization_id: owner.organization_id, email, role });
    await give('admin');
    expect(await status()).toBe('pending');
    await give('viewer');
    expect(await status()).toBe('revoked');
    const lines = await auditOf(world, owner.organization_id);
    expect(lines.at(-1)).toMatchObject({
      action: 'member.role_changed',
      changes: { role: { from: 'admin', to: 'viewer' }, revoked_invitations: 1 },
    });
  });

  it.each(['removed', 'demoted'])('cannot be created by an admin who is being %s', async (how) => {
    for (let round = 0; round < 10; round += 1) {
      const { owner, admin, user_id } = await anInviter();
      const ended = how === 'removed' ? remove(owner, user_id) : change(owner, user_id, 'viewer');
      await Promise.allSettled([ended, invite(admin, newAddress())]);
      const pending = await world.rows(
        "select id from invitations where organization_id = $1 and status = 'pending'",
        [owner.organization_id],
      );
      expect(pending).toEqual([]);
    }
  });
});
