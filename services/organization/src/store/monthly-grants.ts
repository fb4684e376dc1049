import type { TierName } from '@stanza/contracts';
import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import { v5 as uuidv5 } from 'uuid';
import type { OrganizationStatus } from './organizations.ts';

/** An account whose monthly credits are due. */
export interface DueAccount {
  organization_id: string;
  tier: TierName;
  status: OrganizationStatus;
  /** The first of the granted month. */
  next_grant_at: Date;
}

const selectAnyDue = statement<{ found: boolean }>(
  'monthly-grant-any-due',
  `select exists (
     select
     from credit_accounts
     where next_grant_at <= (select clock_timestamp())
   ) as found`,
);

/** True when the monthly credits of an account are due; one that another replica has locked counts. */
export const isAnyDue = async (db: Queryable): Promise<boolean> => {
  const [row] = await db.query(selectAnyDue);
  return row?.found ?? false;
};

const lockDue = statement<DueAccount>(
  'monthly-grant-lock',
  `select organization_id, tier, status, next_grant_at
   from credit_accounts
   join organizations on organizations.id = organization_id
   where next_grant_at <= (select clock_timestamp())
   order by next_grant_at
   limit 1
   for update of credit_accounts skip locked`,
);

/** Locks the account that has been due the longest, skipping those locked by other replicas. */
export const lockDueAccount = async (tx: Transaction): Promise<DueAccount | undefined> => {
  const [due] = await tx.query(lockDue);
  return due;
};

const updateNext = statement<{ organization_id: string }>(
  'monthly-grant-next',
  `update credit_accounts
   set next_grant_at = $2
   where organization_id = $1
   returning organization_id`,
);

/** Sets when an account is due again. */
export const setNextGrant = async (tx: Transaction, organizationId: string, next: Date): Promise<void> => {
  await tx.query(updateNext, [organizationId, next]);
};

/** The id of a month's grant, derived from the organization and the month: the ledger accepts it once. */
export const monthlyGrantId = (organizationId: string, month: Date): string =>
  uuidv5(`monthly grant ${month.toISOString().slice(0, 7)}`, organizationId);
