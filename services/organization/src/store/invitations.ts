import type { Invitation, Page } from '@stanza/contracts';
import { findRow, type Queryable, statement, type Transaction } from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { type FindOptionsWhere, LessThanOrEqual, MoreThan } from 'typeorm';
import { type InvitationRow, invitations } from './access-tables.ts';
import { invitationEntity } from './entities.ts';

/** Name of the index that limits an address to one pending invitation. */
export const onePending = 'invitations_pending';

const updateExpired = statement<{ id: string }>(
  'invitation-expire',
  `update invitations
   set status = 'expired'
   where organization_id = $1
     and email = $2
     and status = 'pending'
     and expires_at <= (select clock_timestamp())`,
);

/** Marks earlier invitations of an address as expired, so that a new one can be pending. */
export const expireInvitations = async (
  tx: Transaction,
  organizationId: string,
  email: string,
): Promise<void> => {
  await tx.query(updateExpired, [organizationId, email]);
};

const countValid = statement<{ stored: number }>(
  'invitations-count-pending',
  `select count(*) as stored
   from invitations
   where organization_id = $1
     and status = 'pending'
     and expires_at > clock_timestamp()`,
);

/** Counts the pending invitations of an organization. */
export const countInvitations = async (db: Queryable, organizationId: string): Promise<number> =>
  (await findRow(db, countValid, [organizationId]))?.stored ?? 0;

/** The fields of a new, pending invitation. */
export type NewInvitation = Omit<InvitationRow, 'status' | 'accepted_by' | 'accepted_at' | 'revoked_at'>;

/** Adds an invitation; violates {@link onePending} while another of the address is pending. */
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

/** The fields that identify an invitation to the person who accepts it. */
export interface InvitationName {
  id?: string | undefined;
  tokenHash?: Buffer | undefined;
}

const columns = columnsOf(invitations);

const selectNamed = statement<InvitationRow>(
  'invitation-lock-named',
  `select ${columns}
   from invitations
   where (id = $1 or $1::uuid is null)
     and (token_hash = $2 or $2::bytea is null)
     and ($1::uuid is not null or $2::bytea is not null)
   for update`,
);

/** The invitation, of any organization, that matches all given fields; locked until the transaction ends. */
export const lockNamedInvitation = async (
  tx: Transaction,
  name: InvitationName,
): Promise<InvitationRow | undefined> => {
  const [found] = await tx.query(selectNamed, [name.id ?? null, name.tokenHash ?? null]);
  return found;
};

/** Sets the final status of an invitation. */
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

/** Revokes a user's pending invitations to others; returns their number. */
export const revokeInvitationsOf = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
  at: Date,
): Promise<number> => (await tx.query(revokeMade, [organizationId, userId, at])).length;

/** Which rows have a status at a moment: pending ones expire without a write. */
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
