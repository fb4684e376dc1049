import {
  CodedError,
  type InputOf,
  notFound,
  inviteMember as operation,
  type Principal,
} from '@stanza/contracts';
import {
  type AuditContext,
  handle,
  isUniqueViolation,
  newId,
  Tenant,
  type Transaction,
} from '@stanza/runtime';
import { checkRoom } from '../check-room.ts';
import type { Dependencies } from '../dependencies.ts';
import { checkOwn, denied } from '../domain/errors.ts';
import { expiryOf, invitationTokenHash, newInvitationToken } from '../domain/invitation.ts';
import { invitationMail } from '../domain/invitation-mail.ts';
import { checkGivenScopes, checkGrant, mayInvite } from '../domain/roles.ts';
import { record } from '../store/audit-log.ts';
import { addInvitation, countInvitations, expireInvitations, onePending } from '../store/invitations.ts';
import { type HeldKey, holdKey } from '../store/key-tree.ts';
import { holdMember, normalizeEmail } from '../store/members.ts';
import { findOrganization } from '../store/organizations.ts';
import { findUser, isSettledMember, type UserRow } from '../store/people.ts';
import { countMembers } from '../store/provisioned-users.ts';

type InviteDependencies = Pick<Dependencies, 'database' | 'clock' | 'mailer' | 'invitations' | 'tiers'>;

interface Invited {
  id: string;
  organization: string;
  inviter: UserRow | undefined;
  expiresAt: Date;
}

/** An invitation before it is written. */
interface Plan {
  email: string;
  token: string;
  body: InputOf<typeof operation>['body'];
  at: Date;
  days: number;
  tiers: Dependencies['tiers'];
}

/**
 * The key behind the caller, protected from revocation until the transaction ends, so that a revocation finds the
 * invitation; undefined for a session.
 */
const invitingKey = async (tx: Transaction, principal: Principal): Promise<HeldKey | undefined> => {
  const { type, id } = principal.actor;
  const key = type === 'api_key' ? await holdKey(tx, Tenant.of(principal), id) : undefined;
  if (key?.revoked_at) throw new CodedError('invalid_token');
  return key;
};

const write = async (
  tx: Transaction,
  principal: Principal,
  context: AuditContext,
  { email, token, body, at, days, tiers }: Plan,
): Promise<Invited> => {
  const { organization_id, actor } = principal;
  const [invitations, members] = [
    () => countInvitations(tx, organization_id),
    () => countMembers(tx, organization_id),
  ];
  await checkRoom(tx, Tenant.of(principal), { tiers, kind: 'invitations', count: invitations });
  await checkRoom(tx, Tenant.of(principal), { tiers, kind: 'members', count: members });
  const organization = await findOrganization(tx, organization_id);
  if (!organization) throw notFound('organization');
  if (await isSettledMember(tx, organization_id, email)) {
    throw new CodedError('already_exists', { message: 'The person is a member of the organization.' });
  }
  await expireInvitations(tx, organization_id, email);
  // Locks the inviter's membership until the commit, so that a concurrent removal finds the invitation.
  const holder = actor.user_id ? await holdMember(tx, organization_id, actor.user_id) : undefined;
  if (holder) checkGrant({ ...principal, role: holder.role }, body.role);
  if (actor.user_id && !(holder && mayInvite(holder.role))) {
    throw denied('You no longer have the right to invite members.', principal);
  }
  const key = await invitingKey(tx, principal);
  const inviter = holder && (await findUser(tx, organization_id, holder.user_id));
  const id = newId();
  const expiresAt = expiryOf(at, days);
  await addInvitation(tx, {
    id,
    organization_id,
    email,
    role: body.role,
    message: body.message ?? null,
    token_hash: invitationTokenHash(token),
    invited_by: inviter?.id ?? null,
    created_at: at,
    expires_at: expiresAt,
    api_key_id: key?.id ?? null,
  });
  await record(tx, context, {
    action: 'invitation.created',
    subject: { kind: 'invitation', id },
    changes: { email, role: body.role, expires_at: expiresAt.toISOString() },
    owner: { organization_id, environment: null },
    at,
  });
  return { id, organization: organization.name, inviter, expiresAt };
};

const nameOf = (user: UserRow | undefined): string | undefined =>
  user && (`${user.first_name} ${user.last_name}`.trim() || user.email);

/**
 * Invites a person and sends the mail once the invitation is committed; an address has one pending invitation at a
 * time.
 */
export const inviteMember = ({ database, clock, mailer, invitations, tiers }: InviteDependencies) =>
  handle(operation, async ({ tenant, principal, context, input: { params, body } }) => {
    checkOwn(tenant, params.id);
    checkGrant(principal, body.role);
    checkGivenScopes(principal, body.role);
    const email = normalizeEmail(body.email);
    const token = newInvitationToken();
    const plan = { email, token, body, at: clock.now(), days: invitations.days, tiers };
    const invited = await database
      .transaction((tx) => write(tx, principal, context, plan))
      .catch((error: unknown) => {
        if (!isUniqueViolation(error, onePending)) throw error;
        throw new CodedError('invitation_pending', {}, { cause: error });
      });
    const facts = { ...invited, ...body, inviter: nameOf(invited.inviter), page: invitations.page, token };
    const email_sent = await mailer.send({ to: email, ...invitationMail(facts) });
    const message = email_sent
      ? `${email} was invited by e-mail.`
      : `${email} is invited, but no e-mail was sent: ask them to sign in and accept the invitation by its id.`;
    return { success: true as const, message, invitation_id: invited.id, email_sent };
  });
