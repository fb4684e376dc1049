import type { TierName } from '@stanza/contracts';
import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import type { Tiers } from '../domain/tiers.ts';

/** Accounts marked by one statement. */
const maxMarked = 100;

/** An account in which few credits are left. */
export interface LowAccount {
  organization_id: string;
  tier: TierName;
  /** The balance without what is reserved. */
  remaining: number;
  overage: number;
  low_since: Date;
}

/** What {@link findLowCredits} finds. */
export interface LowCreditsFound {
  /** Accounts have become low that are not marked. */
  is_any_low: boolean;
  /** Marked ones have enough again. */
  is_any_restored: boolean;
}

/** Times its threshold an account has again when it is no longer low. */
const enoughAgain = 2;

/** One statement reads all accounts: an index of their balances would be written by each charge. */
const newlyLow = `from credit_accounts as account
     join organizations as organization on organization.id = account.organization_id
     join unnest($1::text[], $2::bigint[]) as threshold (tier, credits) on threshold.tier = organization.tier
     where account.low_since is null
       and account.balance - account.reserved < threshold.credits
       and organization.status = 'active'`;

const noLongerLow = `account.low_since is not null
     and account.balance - account.reserved >= threshold.credits`;

const look = statement<LowCreditsFound>(
  'credits-any-low',
  `select exists (select ${newlyLow}) as is_any_low,
     exists (
       select
       from credit_accounts as account
       join organizations as organization on organization.id = account.organization_id
       join unnest($1::text[], $3::bigint[]) as threshold (tier, credits) on threshold.tier = organization.tier
       where ${noLongerLow}) as is_any_restored`,
);

const mark = statement<LowAccount>(
  'credits-mark-low',
  `with low as (
     select account.organization_id, organization.tier
     ${newlyLow}
     order by account.organization_id
     limit ${maxMarked}
     for no key update of account skip locked
   )
   update credit_accounts as account
   set low_since = date_trunc('milliseconds', clock_timestamp())
   from low
   where account.organization_id = low.organization_id
   returning account.organization_id, low.tier, account.balance - account.reserved as remaining, account.overage,
     account.low_since`,
);

const unmark = statement<{ organization_id: string }>(
  'credits-unmark-low',
  `update credit_accounts as account
   set low_since = null
   from organizations as organization
   join unnest($1::text[], $2::bigint[]) as threshold (tier, credits) on threshold.tier = organization.tier
   where organization.id = account.organization_id
     and ${noLongerLow}
   returning account.organization_id`,
);

/** The credits below which an account is low: a tenth of what its tier grants in a month. */
export const lowThreshold = (tiers: Tiers, tier: TierName): number =>
  Math.floor(tiers[tier].monthly_credits / 10);

const columnsOf = (tiers: Tiers, times: number): [string[], number[]] => {
  const names: TierName[] = ['free', 'pro', 'enterprise'];
  return [names, names.map((tier) => lowThreshold(tiers, tier) * times)];
};

/** Looks for accounts whose marks are to change; one that another process is changing counts. */
export const findLowCredits = async (db: Queryable, tiers: Tiers): Promise<LowCreditsFound> => {
  const [names, thresholds] = columnsOf(tiers, 1);
  const [found] = await db.query(look, [names, thresholds, columnsOf(tiers, enoughAgain)[1]]);
  return found ?? { is_any_low: false, is_any_restored: false };
};

/** Marks accounts that have become low, a bounded number of them, and returns each once. */
export const markLow = (tx: Transaction, tiers: Tiers): Promise<LowAccount[]> =>
  tx.query(mark, columnsOf(tiers, 1));

/**
 * Forgets that accounts are low that have twice the threshold again; credits that come and go at the threshold tell once.
 */
export const unmarkLow = async (db: Queryable, tiers: Tiers): Promise<void> => {
  await db.query(unmark, columnsOf(tiers, enoughAgain));
};
