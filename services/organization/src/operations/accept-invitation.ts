import {
  accessChanged,
  CodedError,
  type InputOf,
  acceptInvitation as operation,
  type Person,
} from '@stanza/contracts';
import { type CallContext, handle, type Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { denied } from '../domain/errors.ts';
import { checkPending, invitationTokenHash } from '../domain/invitation.ts';
import { recordBinding } from '../record-binding.ts';
import type { InvitationRow } from '../store/access-tables.ts';
import { record } from '../store/audit-log.ts';
import { bindOnce, claimOf, findUserOfIdentity } from '../store/identities.ts';
import { endInvitation, lockNamedInvitation } from '../store/invitations.ts';
import { ensureUser, lockRole, normalizeEmail, putMembership } from '../store/members.ts';
import { findOrganization } from '../store/organizations.ts';

type Body = InputOf<typeof operation>['body'];

/** The address that the provider vouches for; only it shows that the invitation is for this person. */
const verifiedEmail = ({ email, email_verified }: Person): string => {
  if (email !== null && email_verified) return normalizeEmail(email);
  throw denied('The session carries no e-mail address that the identity provider has verified.');
};

/** An invitation for another person is not found, unless its token proves that the mail was read. */
const named = async (
  tx: Transaction,
  { token, invitation_id }: Body,
  email: string,
): Promise<InvitationRow> => {
  const tokenHash = token === undefined ? undefined : invitationTokenHash(token);
  const invitation = await lockNamedInvitation(tx, { id: invitation_id, tokenHash });
  if (invitation?.email === email) return invitation;
  if (invitation && token !== undefined) {
    throw denied("The invitation is for another e-mail address than the session's.");
  }
  throw new CodedError('not_found', {
    message: 'There is no invitation with this id or token for the e-mail address of the session.',
  });
};

/** The organization, if it is active. */
const openOrganization = async (tx: Transaction, id: string) => {
  const organization = await findOrganization(tx, id);
  if (!organization) throw new CodedError('not_found');
  if (organization.status === 'active') return organization;
  throw denied('The organization is suspended; its operator can reinstate it.');
};

/** The user behind a session, and whether this call binds the session's subject to them. */
interface Acceptor {
  userId: string;
  isNewlyBound: boolean;
}

const takenAddress =
  'The e-mail address belongs to a user who is not bound to this sign-in. Accept with the sign-in of that user, or have the operator bind this one to them.';

/**
 * The user bound to the person's subject, else the user of the address, bound now. An address alone never gives access
 * to an existing account: an operator binds a user who signs in with another subject, or whom an operator has made a
 * member. Where an organization has named the address by itself, over SCIM, it may not keep it from its person.
 * @throws CodedError `access_denied` for the address of such a user
 */
const acceptorOf = async (tx: Transaction, person: Person, email: string, at: Date): Promise<Acceptor> => {
  const known = await findUserOfIdentity(tx, person);
  if (known !== undefined) return { userId: known, isNewlyBound: false };
  // Locks the user: of two subjects with one address at the same moment the second finds the first.
  const user = await ensureUser(tx, { email, first_name: '', last_name: '' }, { by: 'invitation', at });
  const { isOwn, isOthers, isMember } = await claimOf(tx, person, user);
  if (!isOwn && (isOthers || isMember)) throw denied(takenAddress);
  const { userId, isNew } = await bindOnce(tx, person, user, at);
  return { userId, isNewlyBound: isNew };
};

type AcceptDependencies = Pick<Dependencies, 'outbox' | 'clock'>;

/** Makes the user a member; an existing member keeps their role. */
const join = async (
  tx: Transaction,
  { outbox }: AcceptDependencies,
  context: CallContext,
  person: Person,
  joining: Acceptor & { invitation: InvitationRow; at: Date },
): Promise<void> => {
  const { invitation, userId, isNewlyBound, at } = joining;
  const actor = { type: 'session' as const, id: person.subject, user_id: userId };
  const { organization_id, role } = invitation;
  const before = await lockRole(tx, organization_id, userId);
  if (before === undefined) await putMembership(tx, organization_id, { userId, role, at });
  await endInvitation(tx, invitation, { status: 'accepted', accepted_at: at, accepted_by: userId });
  await outbox.add(tx, accessChanged, { organization_id });
  if (isNewlyBound) await recordBinding(tx, context, { identity: person, userId, actor, at });
  await record(tx, context, {
    action: 'invitation.accepted',
    subject: { kind: 'invitation', id: invitation.id },
    changes: { user_id: userId, role: before ?? role },
    owner: { organization_id, environment: null },
    actor,
    at,
  });
};

/** Who invites the person and as what, before they accept. */
const lookAt = async (tx: Transaction, person: Person, invitation: InvitationRow, at: Date) => {
  const user_id = (await findUserOfIdentity(tx, person)) ?? null;
  if (invitation.status !== 'accepted' || invitation.accepted_by !== user_id) checkPending(invitation, at);
  const held = user_id === null ? undefined : await lockRole(tx, invitation.organization_id, user_id);
  return { user_id, role: held ?? invitation.role };
};

/** Accepts an invitation for the person of the session. A repeat by the same person gets the first answer. */
export const acceptInvitation = (dependencies: AcceptDependencies & Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ person, context, input: { body } }) => {
    const email = verifiedEmail(person);
    return dependencies.database.transaction(async (tx) => {
      const invitation = await named(tx, body, email);
      const { organization_id } = invitation;
      const { name: organization_name } = await openOrganization(tx, organization_id);
      const answered = { success: true as const, organization_id, organization_name };
      const at = dependencies.clock.now();
      if (body.dry_run) return { ...answered, ...(await lookAt(tx, person, invitation, at)) };
      const acceptor = await acceptorOf(tx, person, email, at);
      const { userId } = acceptor;
      if (invitation.status !== 'accepted' || invitation.accepted_by !== userId) {
        checkPending(invitation, at);
        await join(tx, dependencies, context, person, { ...acceptor, invitation, at });
      }
      const role = await lockRole(tx, organization_id, userId);
      if (role === undefined)
        throw denied('You have been removed from the organization; ask for another invitation.');
      return { ...answered, user_id: userId, role };
    });
  });
