import type { ActivationPolicy, TierName } from '@stanza/contracts';
import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import type { OrganizationStatus } from './organizations.ts';

/** An organization with its details. */
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
  guard_activation: boolean;
  activation: ActivationPolicy;
}

const selectDetails = statement<OrganizationDetails>(
  'organization-details',
  `select organizations.id, name, tier, status, balance, reserved, organizations.created_at,
     organizations.updated_at, deleted_at, erased_at, guard_activation, activation,
     (select count(*) from memberships where memberships.organization_id = organizations.id) as member_count
   from organizations
   join credit_accounts on credit_accounts.organization_id = organizations.id
   where organizations.id = $1`,
);

/** Reads an organization, including a deleted one. */
export const findDetails = async (
  db: Queryable,
  organizationId: string,
): Promise<OrganizationDetails | undefined> => {
  const [found] = await db.query(selectDetails, [organizationId]);
  return found;
};

/** What changes of an organization are compared with. */
export interface LockedOrganization {
  name: string;
  tier: TierName;
  status: OrganizationStatus;
  guard_activation: boolean;
  activation: ActivationPolicy;
}

const lock = statement<LockedOrganization>(
  'organization-lock',
  `select name, tier, status, guard_activation, activation
   from organizations
   where id = $1 and status <> 'deleted'
   for no key update`,
);

/** Reads an organization and locks it until the transaction ends. */
export const lockOrganization = async (
  tx: Transaction,
  organizationId: string,
): Promise<LockedOrganization | undefined> => {
  const [found] = await tx.query(lock, [organizationId]);
  return found;
};

/** What the members of an organization change of it. */
export type OrganizationChoice = Pick<OrganizationDetails, 'name' | 'guard_activation' | 'activation'>;

const change = statement<Record<string, never>>(
  'organization-change',
  `update organizations
   set name = $2, guard_activation = $3, activation = $4, updated_at = $5
   where id = $1`,
);

/** Sets the name and the policies of a locked organization. */
export const changeOrganization = async (
  tx: Transaction,
  organizationId: string,
  { name, guard_activation, activation }: OrganizationChoice,
  at: Date,
): Promise<void> => {
  await tx.query(change, [organizationId, name, guard_activation, activation, at]);
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

/** Sets the tier of an organization, and the overage of its account. */
export const setTier = async (
  tx: Transaction,
  organizationId: string,
  tier: TierName,
  overage: number,
  at: Date,
): Promise<void> => {
  await tx.query(updateTier, [organizationId, tier, overage, at]);
};
