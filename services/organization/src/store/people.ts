import type { Page, Role } from '@stanza/contracts';
import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import { namesFor } from './members.ts';

/** A user with their membership of one organization. */
export interface UserRow {
  id: string;
  organization_id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
  created_at: Date;
  joined_at: Date;
  last_active_at: Date | null;
}

const columns = `users.id, memberships.organization_id, users.email, ${namesFor('memberships.organization_id')},
     memberships.role, users.created_at, memberships.created_at as joined_at, users.last_active_at`;

const selectUser = statement<UserRow>(
  'organization-user',
  `select ${columns}
   from memberships
   join users on users.id = memberships.user_id
   where memberships.organization_id = $1 and memberships.user_id = $2`,
);

/** A user of an organization. */
export const findUser = async (
  database: Queryable,
  organizationId: string,
  userId: string,
): Promise<UserRow | undefined> => {
  const [found] = await database.query(selectUser, [organizationId, userId]);
  return found;
};

const selectPage = statement<UserRow>(
  'organization-users',
  `select ${columns}
   from memberships
   join users on users.id = memberships.user_id
   where memberships.organization_id = $1 and (memberships.role = $2 or $2::text is null)
   order by memberships.created_at, users.id
   limit $3
   offset $4`,
);

const selectTotal = statement<{ total: number }>(
  'organization-users-count',
  `select count(*) as total
   from memberships
   where organization_id = $1 and (role = $2 or $2::text is null)`,
);

/** A page of an organization's users, the longest-standing members first. */
export const pageOfUsers = async (
  database: Queryable,
  organizationId: string,
  role: Role | undefined,
  page: { limit: number; offset: number },
): Promise<Page<UserRow>> => {
  const filter = [organizationId, role ?? null];
  const items = await database.query(selectPage, [...filter, page.limit, page.offset]);
  const [counted] = await database.query(selectTotal, filter);
  return { items, total: counted?.total ?? 0 };
};

const selectByEmail = statement<{ role: Role }>(
  'membership-by-email',
  `select role
   from memberships
   join users on users.id = memberships.user_id
   where organization_id = $1
     and email = $2
     and (not claimable or exists (select from user_identities where user_id = users.id))`,
);

/**
 * Whether the user of an address, in lower case, is a member to whom an invitation gives nothing. It gives a sign-in to
 * one who was named over SCIM alone and has none.
 */
export const isSettledMember = async (
  database: Queryable,
  organizationId: string,
  email: string,
): Promise<boolean> => (await database.query(selectByEmail, [organizationId, email])).length > 0;

const updateRole = statement<{ user_id: string }>(
  'membership-set-role',
  `with remembered as (
     update deactivated_members
     set role = $3
     where organization_id = $1 and user_id = $2 and $3 <> 'owner'
   )
   update memberships
   set role = $3
   where organization_id = $1 and user_id = $2`,
);

/**
 * Sets the role of a member, and the one in which a deactivated one comes back. An organization has one owner at most;
 * an identity provider may leave none (`deactivate-member.ts`).
 */
export const setRole = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
  role: Role,
): Promise<void> => {
  await tx.query(updateRole, [organizationId, userId, role]);
};

const deleteMembership = statement<{ user_id: string }>(
  'membership-delete',
  `delete from memberships
   where organization_id = $1 and user_id = $2`,
);

const revokeAll = statement<{ id: string }>(
  'api-keys-revoke-of-user',
  `update api_keys
   set revoked_at = $3
   where organization_id = $1 and user_id = $2 and revoked_at is null
   returning id`,
);

/** Removes a user from an organization, with all their keys of it; returns the ids of these keys. */
export const removeMember = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
  at: Date,
): Promise<string[]> => {
  await tx.query(deleteMembership, [organizationId, userId]);
  const revoked = await tx.query(revokeAll, [organizationId, userId, at]);
  return revoked.map((key) => key.id);
};
