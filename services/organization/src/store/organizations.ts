import type { organizationStatuses, Role, TierName } from '@stanza/contracts';
import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';

/** State of an organization. */
export type OrganizationStatus = (typeof organizationStatuses)[number];

/** An organization that is not deleted. */
export interface OrganizationRow {
  id: string;
  tier: TierName;
  status: OrganizationStatus;
}

const insertOrganization = statement<{ id: string }>(
  'organization-insert',
  `insert into organizations (id, name, tier, founding_name, founding_email, created_at, updated_at)
   values ($1, $2, $3, $2, $4, $5, $5)
   on conflict (founding_name, founding_email) where status <> 'deleted' do nothing
   returning id`,
);

/** Adds an organization; answers its id, or undefined when it was founded before. */
export const addOrganization = async (
  tx: Transaction,
  facts: { name: string; tier: TierName; founderEmail: string; at: Date },
): Promise<string | undefined> => {
  const values = [uuidv7(), facts.name, facts.tier, facts.founderEmail, facts.at];
  const [added] = await tx.query(insertOrganization, values);
  return added?.id;
};

const selectFounded = statement<{ organization_id: string; user_id: string }>(
  'organization-founded',
  `select organizations.id as organization_id, memberships.user_id
   from organizations
   join memberships on memberships.organization_id = organizations.id and memberships.role = 'owner'
   where founding_name = $1 and founding_email = $2 and status <> 'deleted'`,
);

/** The organization that was founded under this name by this owner, and its owner now. */
export const findFounded = async (
  database: Queryable,
  name: string,
  founderEmail: string,
): Promise<{ organization_id: string; user_id: string } | undefined> => {
  const [found] = await database.query(selectFounded, [name, founderEmail]);
  return found;
};

const selectOrganization = statement<OrganizationRow>(
  'organization-find',
  `select id, tier, status
   from organizations
   where id = $1 and status <> 'deleted'`,
);

/** Reads an organization; undefined when there is none or it is deleted. */
export const findOrganization = async (
  database: Queryable,
  organizationId: string,
): Promise<OrganizationRow | undefined> => {
  const [found] = await database.query(selectOrganization, [organizationId]);
  return found;
};

const updateStatus = statement<{ id: string }>(
  'organization-set-status',
  `update organizations
   set status = $2, updated_at = $3
   where id = $1 and status not in ($2, 'deleted')
   returning id`,
);

/** Sets the status; true when that changed anything. */
export const setStatus = async (
  tx: Transaction,
  organizationId: string,
  status: OrganizationStatus,
  at: Date,
): Promise<boolean> => {
  const changed = await tx.query(updateStatus, [organizationId, status, at]);
  return changed.length > 0;
};

/** One line of the operator's list. */
export interface ListedOrganization {
  id: string;
  name: string;
  tier: TierName;
  status: OrganizationStatus;
  balance: number;
  reserved: number;
}

const selectPage = statement<ListedOrganization>(
  'organization-list',
  `select organizations.id, name, tier, status, balance, reserved
   from organizations
   join credit_accounts on credit_accounts.organization_id = organizations.id
   order by organizations.created_at, organizations.id
   limit $1
   offset $2`,
);

const selectTotal = statement<{ total: number }>(
  'organization-count',
  `select count(*) as total
   from organizations`,
);

/** A page of all organizations, oldest first; for operators. */
export const listAll = async (
  database: Queryable,
  page: { limit: number; offset: number },
): Promise<{ organizations: ListedOrganization[]; total: number }> => {
  const organizations = await database.query(selectPage, [page.limit, page.offset]);
  const [counted] = await database.query(selectTotal);
  return { organizations, total: counted?.total ?? 0 };
};

const insertUser = statement<{ id: string }>(
  'user-ensure',
  `insert into users (id, email, first_name, last_name, created_at)
   values ($1, $2, $3, $4, $5)
   on conflict (email) do update set email = excluded.email
   returning id`,
);

/** A person as an operator names them. */
export interface Person {
  /** In lower case, see {@link normalizeEmail}. */
  email: string;
  first_name: string;
  last_name: string;
}

/** The form in which addresses are stored and compared: no mail system tells them apart by case. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** Finds the user of an address or adds one; a known user keeps their names. Answers the id. */
export const ensureUser = async (tx: Transaction, person: Person, at: Date): Promise<string> => {
  const values = [uuidv7(), person.email, person.first_name, person.last_name, at];
  const [row] = await tx.query(insertUser, values);
  if (!row) throw new TypeError('the user was neither found nor added');
  return row.id;
};

const selectRole = statement<{ role: Role }>(
  'membership-role',
  `select role
   from memberships
   where organization_id = $1 and user_id = $2
   for update`,
);

/** The role of a user, locked until the transaction ends; undefined when they are no member. */
export const lockRole = async (
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<Role | undefined> => {
  const [found] = await tx.query(selectRole, [organizationId, userId]);
  return found?.role;
};

const upsertMembership = statement<{ role: Role }>(
  'membership-upsert',
  `insert into memberships (organization_id, user_id, role, created_at)
   values ($1, $2, $3, $4)
   on conflict (organization_id, user_id) do update set role = excluded.role
   where memberships.role <> 'owner'
   returning role`,
);

/** Makes a user a member with this role, or changes their role; never that of the owner. */
export const putMembership = async (
  tx: Transaction,
  organizationId: string,
  member: { userId: string; role: Role; at: Date },
): Promise<void> => {
  await tx.query(upsertMembership, [organizationId, member.userId, member.role, member.at]);
};

const selectMember = statement<{ user_id: string; role: Role }>(
  'membership-find',
  `select user_id, role
   from memberships
   where organization_id = $1 and ((user_id = $2) or ($2::uuid is null and role = 'owner'))`,
);

/** A member of an organization, its owner when no user is named. */
export const findMember = async (
  database: Queryable,
  organizationId: string,
  userId: string | undefined,
): Promise<{ user_id: string; role: Role } | undefined> => {
  const [found] = await database.query(selectMember, [organizationId, userId ?? null]);
  return found;
};
