import type { TierName } from '@stanza/contracts';
import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import type { OrganizationStatus } from './organizations.ts';

/** An organization with what people want to know of it. */
export interface OrganizationDetails {
  id: string;
  name: string;
  tier: TierName;
  status: OrganizationStatus;
  member_count: number;
  balance: number;
  reserved: number;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  erased_at: Date | null;
}

const selectDetails = statement<OrganizationDetails>(
  'organization-details',
  `select organizations.id, name, tier, status, balance, reserved, organizations.created_at,
     organizations.updated_at, deleted_at, erased_at,
     (select count(*) from memberships where memberships.organization_id = organizations.id) as member_count
   from organizations
   join credit_accounts on credit_accounts.organization_id = organizations.id
   where organizations.id = $1`,
);

/** Reads an organization, a deleted one too. */
export const findDetails = async (
  db: Queryable,
  organizationId: string,
): Promise<OrganizationDetails | undefined> => {
  const [found] = await db.query(selectDetails, [organizationId]);
  return found;
};

const lock = statement<{ name: string; tier: TierName; status: OrganizationStatus }>(
  'organization-lock',
  `select name, tier, status
   from organizations
   where id = $1 and status <> 'deleted'
   for no key update`,
);

/** Reads an organization and keeps others from changing it until the transaction ends. */
export const lockOrganization = async (
  tx: Transaction,
  organizationId: string,
): Promise<{ name: string; tier: TierName; status: OrganizationStatus } | undefined> => {
  const [found] = await tx.query(lock, [organizationId]);
  return found;
};

const rename = statement<Record<string, never>>(
  'organization-rename',
  `update organizations
   set name = $2, updated_at = $3
   where id = $1`,
);

/** Gives an organization another name. */
export const renameOrganization = async (
  tx: Transaction,
  organizationId: string,
  name: string,
  at: Date,
): Promise<void> => {
  await tx.query(rename, [organizationId, name, at]);
};

const updateTier = statement<Record<string, never>>(
  'organization-set-tier',
  `with changed as (
     update organizations
     set tier = $2, updated_at = $4
     where id = $1
     returning id
   )
   update credit_accounts
   set overage = $3, updated_at = $4
   from changed
   where credit_accounts.organization_id = changed.id`,
);

/** Gives an organization another tier, and its account the overage of it. */
export const setTier = async (
  tx: Transaction,
  organizationId: string,
  tier: TierName,
  overage: number,
  at: Date,
): Promise<void> => {
  await tx.query(updateTier, [organizationId, tier, overage, at]);
};
