import type { Role } from '@stanza/contracts';
import { type Database, type Queryable, statement, type Transaction } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import { normalizeEmail } from '../domain/scim.ts';
import type { LastUses } from '../domain/uses.ts';
import type { OrganizationStatus } from './organizations.ts';

const insertUser = statement<{ id: string }>(
  'user-ensure',
  `insert into users (id, email, first_name, last_name, created_at, claimable, named_by)
   values ($1, $2, $3, $4, $5, $6, $7)
   on conflict (email) do update set claimable = users.claimable and excluded.claimable
   returning id`,
);

/**
 * SQL: the names of a user, as an organization reads them. Names that were given for another one are that one's until the
 * person signs in: then they are the person's own.
 */
export const namesFor = (organization: string): string => {
  const isRead = `users.named_by is null or users.named_by = ${organization}
       or exists (select from user_identities where user_identities.user_id = users.id)`;
  const read = (name: string): string => `case when ${isRead} then users.${name} else '' end as ${name}`;
  return `${read('first_name')}, ${read('last_name')}`;
};

/** A person as they were named. */
export interface Person {
  /** In lower case, see {@link normalizeEmail}. */
  email: string;
  first_name: string;
  last_name: string;
}

export { normalizeEmail };

/**
 * Finds or adds the user of an address; an existing user keeps their names. Returns the id.
 * @param by who names the person. While no operator does, nobody's membership keeps the address from who proves it.
 * @param organizationId for which they are named; see {@link namesFor}
 */
export const ensureUser = async (
  tx: Transaction,
  person: Person,
  {
    by,
    organizationId,
    at,
  }: { by: 'operator' | 'provider' | 'invitation'; organizationId?: string; at: Date },
): Promise<string> => {
  const { email, first_name, last_name } = person;
  const values = [uuidv7(), email, first_name, last_name, at, by !== 'operator', organizationId ?? null];
  const [row] = await tx.query(insertUser, values);
  if (!row) throw new TypeError('the user was neither found nor added');
  return row.id;
};

const selectUser = statement<{ id: string }>(
  'user-by-email',
  `select id
   from users
   where email = $1`,
);

/** The user of an address in the form of {@link normalizeEmail}. */
export const findUserByEmail = async (database: Queryable, email: string): Promise<string | undefined> => {
  const [found] = await database.query(selectUser, [email]);
  return found?.id;
};

const selectRole = statement<{ role: Role }>(
  'membership-role',
  `select role
   from memberships
   where organization_id = $1 and user_id = $2
   for update`,
);

/** The role of a user, locked until the transaction ends; undefined when they are not a member. */
export const lockRole = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<Role | undefined> => {
  const [found] = await tx.query(selectRole, [organizationId, userId]);
  return found?.role;
};

const selectOwner = statement<{ user_id: string }>(
  'membership-lock-owner',
  `select user_id
   from memberships
   where organization_id = $1 and role = 'owner'
   for update`,
);

/** The user who owns an organization, locked until the transaction ends. */
export const lockOwner = async (tx: Transaction, organizationId: string): Promise<string | undefined> => {
  const [found] = await tx.query(selectOwner, [organizationId]);
  return found?.user_id;
};

const upsertMembership = statement<{ role: Role }>(
  'membership-upsert',
  `with forgotten as (
     delete from deactivated_members
     where organization_id = $1 and user_id = $2
   )
   insert into memberships (organization_id, user_id, role, created_at)
   values ($1, $2, $3, $4)
   on conflict (organization_id, user_id) do update set role = excluded.role
   where memberships.role <> 'owner'
   returning role`,
);

/**
 * Makes a user a member with this role, or changes their role; never that of the owner. The role stored at a
 * deactivation is deleted, so that it cannot be restored later.
 */
export const putMembership = async (
  tx: Transaction,
  organizationId: string,
  member: { userId: string; role: Role; at: Date },
): Promise<void> => {
  await tx.query(upsertMembership, [organizationId, member.userId, member.role, member.at]);
};

/** A member, the owner when no user is named. */
const memberSql = `select user_id, role
   from memberships
   where organization_id = $1 and ((user_id = $2) or ($2::uuid is null and role = 'owner'))`;

const selectMember = statement<{ user_id: string; role: Role }>('membership-find', memberSql);

/** A member of an organization. */
export const findMember = async (
  database: Queryable,
  organizationId: string,
  userId: string,
): Promise<{ user_id: string; role: Role } | undefined> => {
  const [found] = await database.query(selectMember, [organizationId, userId]);
  return found;
};

const holdSelected = statement<{ user_id: string; role: Role }>(
  'membership-hold',
  `${memberSql}
   for key share`,
);

/**
 * A member of an organization, its owner when no user is named. The membership is locked until the transaction ends, so
 * that a removal finds the rows made in their name.
 */
export const holdMember = async (
  tx: Transaction,
  organizationId: string,
  userId: string | undefined,
): Promise<{ user_id: string; role: Role } | undefined> => {
  const [found] = await tx.query(holdSelected, [organizationId, userId ?? null]);
  return found;
};

/** The fields of a member and their organization that the member may see. */
export interface ShownMember {
  user_id: string;
  first_name: string;
  last_name: string;
  email: string;
  user_created_at: Date;
  last_active_at: Date | null;
  role: Role;
  organization_name: string;
  status: OrganizationStatus;
  balance: number;
  member_count: number;
}

const selectShown = statement<ShownMember>(
  'membership-show',
  `select users.id as user_id, users.first_name, users.last_name, users.email,
     users.created_at as user_created_at, users.last_active_at, memberships.role,
     organizations.name as organization_name, organizations.status, credit_accounts.balance,
     (select count(*) from memberships where organization_id = $1) as member_count
   from memberships
   join users on users.id = memberships.user_id
   join organizations on organizations.id = memberships.organization_id
   join credit_accounts on credit_accounts.organization_id = memberships.organization_id
   where memberships.organization_id = $1 and memberships.user_id = $2`,
);

/** Reads a member with their organization and its balance. */
export const showMember = async (
  database: Queryable,
  organizationId: string,
  userId: string,
): Promise<ShownMember | undefined> => {
  const [found] = await database.query(selectShown, [organizationId, userId]);
  return found;
};

const updateActive = statement<{ id: string }>(
  'user-record-activity',
  `update users
   set last_active_at = used.at
   from unnest($1::uuid[], $2::timestamptz[]) as used (id, at)
   where users.id = used.id and (users.last_active_at is null or users.last_active_at < used.at)`,
);

/** Writes when users were active in a session. */
export const recordSessions = async (database: Database, uses: LastUses): Promise<void> => {
  // In a transaction, because two replicas that write the same users can deadlock, and a transaction is retried.
  await database.transaction(async (tx) => {
    await tx.query(updateActive, [[...uses.keys()], [...uses.values()]]);
  });
};
