import type { Page, Role } from '@stanza/contracts';
import { findRow, type Queryable, statement, type Transaction } from '@stanza/runtime';
import type { ProvisionedUser } from '../domain/scim.ts';
import { namesFor } from './members.ts';

/** A person who joined again by an invitation is a member, even if a deactivation is still stored. */
const provisioned = `from (
     select user_id, role, created_at as joined_at, null::timestamptz as deactivated_at
     from memberships
     where organization_id = $1
     union all
     select user_id, role, joined_at, deactivated_at
     from deactivated_members
     where organization_id = $1
       and not exists (
         select
         from memberships
         where memberships.organization_id = $1 and memberships.user_id = deactivated_members.user_id
       )
   ) as people
   join users on users.id = people.user_id
   left join external_ids on external_ids.organization_id = $1 and external_ids.user_id = people.user_id`;

const columns = `users.id, users.email, ${namesFor('$1')}, people.role, people.joined_at,
     people.deactivated_at, external_ids.external_id`;

const selectOne = statement<ProvisionedUser>(
  'provisioned-user',
  `select ${columns}
   ${provisioned}
   where users.id = $2`,
);

/** A member, active or not. */
export const findProvisioned = async (
  database: Queryable,
  organizationId: string,
  userId: string,
): Promise<ProvisionedUser | undefined> => {
  const [found] = await database.query(selectOne, [organizationId, userId]);
  return found;
};

const isFound =
  '($2::text is null or users.email = $2) and ($3::text is null or external_ids.external_id = $3)';

/** What people are found by. */
export interface ProvisionedFilter {
  email?: string;
  externalId?: string;
}

const selectPage = statement<ProvisionedUser>(
  'provisioned-users',
  `select ${columns}
   ${provisioned}
   where ${isFound}
   order by people.joined_at, users.id
   limit $4
   offset $5`,
);

const selectTotal = statement<{ total: number }>(
  'provisioned-users-count',
  `select count(*) as total
   ${provisioned}
   where ${isFound}`,
);

/** A page of members, active or not, the longest-standing first. */
export const pageOfProvisioned = async (
  database: Queryable,
  organizationId: string,
  { email, externalId }: ProvisionedFilter,
  page: { limit: number; offset: number },
): Promise<Page<ProvisionedUser>> => {
  const filter = [organizationId, email ?? null, externalId ?? null];
  const items = await database.query(selectPage, [...filter, page.limit, page.offset]);
  const [counted] = await database.query(selectTotal, filter);
  return { items, total: counted?.total ?? 0 };
};

const countAll = statement<{ stored: number }>(
  'provisioned-users-stored',
  `select (select count(*) from memberships where organization_id = $1)::int
     + (select count(*) from deactivated_members where organization_id = $1)::int as stored`,
);

/** Counts the rows of members, active or not, of an organization. */
export const countMembers = async (db: Queryable, organizationId: string): Promise<number> =>
  (await findRow(db, countAll, [organizationId]))?.stored ?? 0;

const putExternal = statement<Record<string, never>>(
  'external-id-put',
  `insert into external_ids (organization_id, user_id, external_id)
   values ($1, $2, $3)
   on conflict (organization_id, user_id) do update set external_id = excluded.external_id`,
);

const deleteExternal = statement<Record<string, never>>(
  'external-id-delete',
  'delete from external_ids where organization_id = $1 and user_id = $2',
);

/** Keeps what the identity provider calls a person, or forgets it. */
export const writeExternalId = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
  externalId: string | null,
): Promise<void> => {
  if (externalId === null) await tx.query(deleteExternal, [organizationId, userId]);
  else await tx.query(putExternal, [organizationId, userId, externalId]);
};

const insertDeactivated = statement<Record<string, never>>(
  'deactivated-member-add',
  `insert into deactivated_members (organization_id, user_id, role, joined_at, deactivated_at)
   select organization_id, user_id, case role when 'owner' then 'admin' else role end, created_at, $3
   from memberships
   where organization_id = $1 and user_id = $2
   on conflict (organization_id, user_id) do update
   set role = excluded.role, joined_at = excluded.joined_at, deactivated_at = excluded.deactivated_at`,
);

/** Stores the role and the joining date of a member before the membership ends; an owner comes back as an admin. */
export const rememberMember = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
  at: Date,
): Promise<void> => {
  await tx.query(insertDeactivated, [organizationId, userId, at]);
};

/** The stored state of a deactivated member. */
export interface Remembered {
  role: Role;
  joined_at: Date;
  /** False once a process of the previous version has deleted the user with another organization. */
  is_user: boolean;
}

const deleteDeactivated = statement<Remembered>(
  'deactivated-member-forget',
  `delete from deactivated_members
   where organization_id = $1 and user_id = $2
   returning role, joined_at, exists (select from users where users.id = user_id) as is_user`,
);

/** Deletes the stored state of a deactivated member and returns it; undefined where none was stored. */
export const forgetDeactivated = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<Remembered | undefined> => {
  const [gone] = await tx.query(deleteDeactivated, [organizationId, userId]);
  return gone;
};

const revokeWaiting = statement<{ id: string }>(
  'invitation-revoke-addressed',
  `update invitations
   set status = 'revoked', revoked_at = $3
   from users
   where invitations.organization_id = $1
     and users.id = $2
     and invitations.email = users.email
     and invitations.status = 'pending'
   returning invitations.id`,
);

/** Revokes a user's pending invitations from others; returns their number. */
export const revokeInvitationsFor = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
  at: Date,
): Promise<number> => (await tx.query(revokeWaiting, [organizationId, userId, at])).length;

const selectOfRole = statement<Pick<ProvisionedUser, 'id' | 'email' | 'role'>>(
  'provisioned-users-of-role',
  `select users.id, users.email, people.role
   ${provisioned}
   where people.role = $2
   order by people.joined_at, users.id`,
);

/** The people of a role, deactivated ones included. */
export const provisionedOfRole = (
  database: Queryable,
  organizationId: string,
  role: Role,
): Promise<Pick<ProvisionedUser, 'id' | 'email' | 'role'>[]> =>
  database.query(selectOfRole, [organizationId, role]);

const lockPeople = statement<{ id: string; role: Role }>(
  'provisioned-users-lock',
  `with members as (
     select user_id, role
     from memberships
     where organization_id = $1 and user_id = any ($2::uuid[])
     order by user_id
     for update
   ), deactivated as (
     select user_id, role
     from deactivated_members
     where organization_id = $1 and user_id = any ($2::uuid[])
     order by user_id
     for update
   )
   select user_id as id, role from members
   union all
   select user_id, role from deactivated
   where user_id not in (select user_id from members)`,
);

/** The roles of people, deactivated ones included, locked until the transaction ends. */
export const lockProvisioned = async (
  tx: Transaction,
  organizationId: string,
  userIds: readonly string[],
): Promise<Map<string, Role>> =>
  new Map((await tx.query(lockPeople, [organizationId, userIds])).map(({ id, role }) => [id, role]));
