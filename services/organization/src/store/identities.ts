import type { Person, Role } from '@stanza/contracts';
import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import type { OrganizationStatus } from './organizations.ts';

/** The permanent identifier of a person at an identity provider; their address may change. */
export type Identity = Pick<Person, 'issuer' | 'subject'>;

/** The result of binding an identity. */
export interface Binding {
  /** The given user, or the user to whom it was bound earlier. */
  userId: string;
  /** Whether the binding is new. */
  isNew: boolean;
}

const insertIdentity = statement<{ user_id: string; is_new: boolean }>(
  'identity-bind',
  `insert into user_identities (issuer, subject, user_id, created_at)
   values ($1, $2, $3, $4)
   on conflict (issuer, subject) do update set issuer = excluded.issuer
   returning user_id, old.user_id is null as is_new`,
);

/** Lets the sessions of an identity act as a user. Idempotent. */
export const bindOnce = async (
  tx: Transaction,
  identity: Identity,
  userId: string,
  at: Date,
): Promise<Binding> => {
  const [row] = await tx.query(insertIdentity, [identity.issuer, identity.subject, userId, at]);
  if (!row) throw new TypeError('the identity was neither found nor bound');
  return { userId: row.user_id, isNew: row.is_new };
};

const selectUser = statement<{ user_id: string }>(
  'identity-user',
  `select user_id
   from user_identities
   where issuer = $1 and subject = $2`,
);

/** The user to whom an identity is bound; undefined without a binding. */
export const findUserOfIdentity = async (
  database: Queryable,
  identity: Identity,
): Promise<string | undefined> => {
  const [found] = await database.query(selectUser, [identity.issuer, identity.subject]);
  return found?.user_id;
};

const selectIdentities = statement<Identity>(
  'identities-of-user',
  `select issuer, subject
   from user_identities
   where user_id = $1
   order by created_at, issuer, subject`,
);

/** The identities whose sessions act as a user. */
export const identitiesOf = (database: Queryable, userId: string): Promise<Identity[]> =>
  database.query(selectIdentities, [userId]);

const selectAccess = statement<{ id: string }>(
  'user-has-access',
  `select id
   from users
   where id = $1 and (not claimable or exists (select from user_identities where user_id = users.id))`,
);

/** Whether a user signs in, or an operator has named them. */
export const hasAccess = async (tx: Transaction, userId: string): Promise<boolean> =>
  (await tx.query(selectAccess, [userId])).length > 0;

const selectClaim = statement<{ is_own: boolean; is_others: boolean; is_member: boolean }>(
  'identity-claim',
  `select coalesce(bool_or(issuer = $2 and subject = $3), false) as is_own,
     coalesce(bool_or(not (issuer = $2 and subject = $3)), false) as is_others,
     exists (
       select 1
       from (
         select organization_id from memberships where user_id = $1
         union all
         select organization_id from deactivated_members where user_id = $1
       ) as belonging
       join organizations on organizations.id = belonging.organization_id
       where organizations.status <> 'deleted'
     ) and not (select claimable from users where id = $1) as is_member
   from user_identities
   where user_id = $1`,
);

/** Facts that prevent an identity from taking over the user of its verified address. */
export interface Claim {
  /** The identity is bound to the user. */
  isOwn: boolean;
  /** Another identity is bound to the user. */
  isOthers: boolean;
  /** An operator has named the user, who belongs to an organization, or was deactivated in one and can be reactivated. */
  isMember: boolean;
}

/**
 * Reads these facts; the caller holds the lock on the user's row, so that of two identities the second sees the first.
 */
export const claimOf = async (tx: Transaction, identity: Identity, userId: string): Promise<Claim> => {
  const [row] = await tx.query(selectClaim, [userId, identity.issuer, identity.subject]);
  if (!row) throw new TypeError('an aggregate has one row');
  return { isOwn: row.is_own, isOthers: row.is_others, isMember: row.is_member };
};

/** The member behind a session. */
export interface IdentifiedMember {
  organization_id: string;
  user_id: string;
  role: Role;
  status: OrganizationStatus;
}

const selectMember = statement<IdentifiedMember>(
  'identity-member',
  `select memberships.organization_id, memberships.user_id, memberships.role, organizations.status
   from user_identities
   join memberships on memberships.user_id = user_identities.user_id and memberships.organization_id = $3
   join organizations on organizations.id = memberships.organization_id
   where user_identities.issuer = $1 and user_identities.subject = $2`,
);

/** The member of an organization to whom an identity is bound. */
export const findMemberByIdentity = async (
  database: Queryable,
  organizationId: string,
  identity: Identity,
): Promise<IdentifiedMember | undefined> => {
  const [found] = await database.query(selectMember, [identity.issuer, identity.subject, organizationId]);
  return found;
};
