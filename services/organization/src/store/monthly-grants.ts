import type { TierName } from '@stanza/contracts';
import { statement, type Transaction } from '@stanza/runtime';
import { v5 as uuidv5 } from 'uuid';
import type { OrganizationStatus } from './organizations.ts';

/** An account whose organization is to be given the credits of a month. */
export interface DueAccount {
  organization_id: string;
  tier: TierName;
  status: OrganizationStatus;
  /** The first of the month that is granted for. */
  next_grant_at: Date;
}

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

/** Locks the account that has been due for the longest, if there is one that no other replica has. */
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

/** Says when an account is due again. */
export const setNextGrant = async (tx: Transaction, organizationId: string, next: Date): Promise<void> => {
  await tx.query(updateNext, [organizationId, next]);
};

/** Names the grant of a month, the same whoever makes it: the ledger takes it once. */
export const monthlyGrantId = (organizationId: string, month: Date): string =>
  uuidv5(`monthly grant ${month.toISOString().slice(0, 7)}`, organizationId);
