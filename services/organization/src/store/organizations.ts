import type { ActivationPolicy, organizationStatuses, TierName } from '@stanza/contracts';
import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';

/** State of an organization. */
export type OrganizationStatus = (typeof organizationStatuses)[number];

/** An organization that is not deleted. */
export interface OrganizationRow {
  id: string;
  name: string;
  tier: TierName;
  status: OrganizationStatus;
  guard_activation: boolean;
  activation: ActivationPolicy;
}

const insertOrganization = statement<{ id: string }>(
  'organization-insert',
  `insert into organizations (id, name, tier, founding_name, founding_email, created_at, updated_at)
   values ($1, $2, $3, $2, $4, $5, $5)
   on conflict (founding_name, founding_email) where status <> 'deleted' do nothing
   returning id`,
);

/** Adds an organization; returns its id, or undefined when it exists already. */
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

/** The organization created under this name by this owner, and its current owner. */
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
  `select id, name, tier, status, guard_activation, activation
   from organizations
   where id = $1`,
);

/** Reads an organization, also a deleted one; undefined when it does not exist. */
export const findAnyOrganization = async (
  database: Queryable,
  organizationId: string,
): Promise<OrganizationRow | undefined> => {
  const [found] = await database.query(selectOrganization, [organizationId]);
  return found;
};

/** Reads an organization; undefined when it does not exist or is deleted. */
export const findOrganization = async (
  database: Queryable,
  organizationId: string,
): Promise<OrganizationRow | undefined> => {
  const found = await findAnyOrganization(database, organizationId);
  return found?.status === 'deleted' ? undefined : found;
};

const updateStatus = statement<{ id: string }>(
  'organization-set-status',
  `update organizations
   set status = $2, updated_at = $3
   where id = $1 and status not in ($2, 'deleted')
   returning id`,
);

/** Sets the status; true when it changed. */
export const setStatus = async (
  tx: Transaction,
  organizationId: string,
  status: OrganizationStatus,
  at: Date,
): Promise<boolean> => {
  const changed = await tx.query(updateStatus, [organizationId, status, at]);
  return changed.length > 0;
};

/** A row of the operator's list. */
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
