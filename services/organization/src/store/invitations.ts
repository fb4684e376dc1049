import type { Invitation, Page } from '@stanza/contracts';
import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import { type FindOptionsWhere, LessThanOrEqual, MoreThan } from 'typeorm';
import { type InvitationRow, invitationEntity } from './invitation-entity.ts';

/** Name of the index that lets one invitation of an address wait at a time. */
export const onePending = 'invitations_pending';

const updateExpired = statement<{ id: string }>(
  'invitation-expire',
  `update invitations
   set status = 'expired'
   where organization_id = $1
     and email = $2
     and status = 'pending'
     and expires_at <= $3`,
);

/** Notes that earlier invitations of an address have expired, so that another may wait. */
export const expireInvitations = async (
  tx: Transaction,
  organizationId: string,
  email: string,
  at: Date,
): Promise<void> => {
  await tx.query(updateExpired, [organizationId, email, at]);
};

/** What is said of a new invitation; it waits. */
export type NewInvitation = Omit<InvitationRow, 'status' | 'accepted_by' | 'accepted_at' | 'revoked_at'>;

/** Adds an invitation; violates {@link onePending} while another of the address waits. */
export const addInvitation = async (tx: Transaction, invitation: NewInvitation): Promise<void> => {
  await tx.orm.insert(invitationEntity, invitation);
};

/** An invitation of an organization, locked until the transaction ends. */
export const lockInvitation = (
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<InvitationRow | null> =>
  tx.orm.findOne(invitationEntity, {
    where: { organization_id: organizationId, id },
    lock: { mode: 'pessimistic_write' },
  });

/** What names an invitation to the person who accepts it. */
export interface InvitationName {
  id?: string | undefined;
  tokenHash?: Buffer | undefined;
}

/** Named, since a column that a later version adds would change the rows of a prepared `*`. */
const columns = Object.keys(invitationEntity.options.columns).join(', ');

const selectNamed = statement<InvitationRow>(
  'invitation-lock-named',
  `select ${columns}
   from invitations
   where (id = $1 or $1::uuid is null)
     and (token_hash = $2 or $2::bytea is null)
     and ($1::uuid is not null or $2::bytea is not null)
   for update`,
);

/** The invitation, of whichever organization, that fits all that is named; locked until the transaction ends. */
export const lockNamedInvitation = async (
  tx: Transaction,
  name: InvitationName,
): Promise<InvitationRow | undefined> => {
  const [found] = await tx.query(selectNamed, [name.id ?? null, name.tokenHash ?? null]);
  return found;
};

/** Ends an invitation. */
export const endInvitation = async (
  tx: Transaction,
  { organization_id, id }: Pick<InvitationRow, 'organization_id' | 'id'>,
  end: Pick<InvitationRow, 'status'> & Partial<InvitationRow>,
): Promise<void> => {
  await tx.orm.update(invitationEntity, { organization_id, id }, end);
};

const revokeMade = statement<{ id: string }>(
  'invitation-revoke-made',
  `update invitations
   set status = 'revoked', revoked_at = $3
   where organization_id = $1
     and invited_by = $2
     and status = 'pending'
   returning id`,
);

/** Takes back what a user has invited and nobody has accepted yet; answers how many. */
export const revokeInvitationsOf = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
  at: Date,
): Promise<number> => (await tx.query(revokeMade, [organizationId, userId, at])).length;

/** Which rows have a status at a moment: pending ones expire by themselves. */
const conditions = (
  owner: FindOptionsWhere<InvitationRow>,
  status: Invitation['status'] | undefined,
  now: Date,
): FindOptionsWhere<InvitationRow>[] => {
  if (status === undefined) return [owner];
  if (status === 'pending') return [{ ...owner, status, expires_at: MoreThan(now) }];
  if (status !== 'expired') return [{ ...owner, status }];
  return [
    { ...owner, status },
    { ...owner, status: 'pending', expires_at: LessThanOrEqual(now) },
  ];
};

/** A page of an organization's invitations, newest first. */
export const pageOfInvitations = async (
  database: Queryable,
  organizationId: string,
  filter: { status: Invitation['status'] | undefined; now: Date },
  page: { limit: number; offset: number },
): Promise<Page<InvitationRow>> => {
  const [items, total] = await database.orm.findAndCount(invitationEntity, {
    where: conditions({ organization_id: organizationId }, filter.status, filter.now),
    order: { created_at: 'DESC', id: 'DESC' },
    take: page.limit,
    skip: page.offset,
  });
  return { items, total };
};
