import type { TierName } from '@stanza/contracts';
import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import { v7 as uuidv7 } from 'uuid';
import type { Funds } from '../domain/funds.ts';
import type { Tiers } from '../domain/tiers.ts';
import { nextMonth } from '../domain/usage-range.ts';

/** The credits of an organization. */
export type Account = Funds;

const insertAccount = statement<{ organization_id: string }>(
  'account-open',
  `insert into credit_accounts (organization_id, overage, next_grant_at, updated_at)
   values ($1, $2, $3, $4)`,
);

/** Opens the account of a new organization, empty; the caller grants this month's credits. */
export const openAccount = async (
  tx: Transaction,
  organizationId: string,
  overage: number,
  at: Date,
): Promise<void> => {
  await tx.query(insertAccount, [organizationId, overage, nextMonth(at), at]);
};

const selectForUpdate = statement<Account>(
  'account-lock',
  `select balance, reserved, overage
   from credit_accounts
   where organization_id = $1
   for update`,
);

/**
 * Reads an account and locks it until the transaction ends. Every change of credits locks the account first, which
 * rules out double spending and deadlocks.
 */
export const lockAccount = async (tx: Transaction, organizationId: string): Promise<Account | undefined> => {
  const [account] = await tx.query(selectForUpdate, [organizationId]);
  return account;
};

/** An account as its owner sees it. */
export interface ShownAccount extends Account {
  tier: TierName;
  next_grant_at: Date;
  updated_at: Date;
}

const selectShown = statement<ShownAccount>(
  'account-show',
  `select tier, balance, reserved, overage, next_grant_at, credit_accounts.updated_at
   from credit_accounts
   join organizations on organizations.id = credit_accounts.organization_id
   where organization_id = $1`,
);

/** Reads an account with its tier. */
export const showAccount = async (
  database: Queryable,
  organizationId: string,
): Promise<ShownAccount | undefined> => {
  const [account] = await database.query(selectShown, [organizationId]);
  return account;
};

/** Credits given or taken away by an operator or a tier. */
export interface Grant {
  /** Idempotency id of the grant. */
  grantId: string;
  /** Negative takes credits away. */
  amount: number;
  reason: string;
  at: Date;
}

const selectGrant = statement<{ id: string }>(
  'grant-find',
  `select id
   from credit_log
   where organization_id = $1 and operation_id = $2 and kind in ('grant', 'adjustment')`,
);

/** True when the grant exists already; call with the account locked. */
export const isGranted = async (
  tx: Transaction,
  organizationId: string,
  grantId: string,
): Promise<boolean> => {
  const found = await tx.query(selectGrant, [organizationId, grantId]);
  return found.length > 0;
};

const insertGrant = statement<{ balance: number }>(
  'grant-add',
  `with entry as (
     insert into credit_log (id, organization_id, kind, amount, operation_id, reason, created_at)
     values ($1, $2, case when $3::bigint < 0 then 'adjustment' else 'grant' end, $3, $4, $5, $6)
     returning amount
   )
   update credit_accounts
   set balance = balance + entry.amount, updated_at = $6
   from entry
   where organization_id = $2
   returning balance`,
);

/** Grants or takes away credits with their ledger row, and returns the balance; call with the account locked. */
export const addGrant = async (tx: Transaction, organizationId: string, grant: Grant): Promise<number> => {
  const values = [uuidv7(), organizationId, grant.amount, grant.grantId, grant.reason, grant.at];
  const [account] = await tx.query(insertGrant, values);
  if (!account) throw new TypeError('the organization has no credit account');
  return account.balance;
};

const updateOverages = statement<{ organization_id: string }>(
  'account-apply-tiers',
  `update credit_accounts
   set overage = tiers.overage
   from organizations
   join unnest($1::text[], $2::bigint[]) as tiers (name, overage) on tiers.name = organizations.tier
   where organizations.id = credit_accounts.organization_id and credit_accounts.overage <> tiers.overage
   returning organization_id`,
);

/** Sets the overage of all accounts to the configured tiers; returns the number of changed accounts. */
export const applyTiers = async (database: Queryable, tiers: Tiers): Promise<number> => {
  const names = Object.keys(tiers);
  const changed = await database.query(updateOverages, [names, Object.values(tiers).map((it) => it.overage)]);
  return changed.length;
};
