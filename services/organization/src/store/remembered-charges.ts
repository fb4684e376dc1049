import { statement, type Transaction } from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { available } from './available.ts';
import { creditLog } from './credit-tables.ts';

/** An answer that its caller can fetch again. */
export interface RememberedAnswer {
  organization_id: string;
  operation_id: string;
}

/** The outcome for charges that had been reversed. */
export interface ChargedAgain {
  charged_again: number;
  /** The remaining credits do not suffice for them. */
  lost: number;
}

/**
 * The statement begins after the confirmation has waited for a concurrent reversal, so it sees the reversal; two that
 * charge again concurrently meet in the ledger's unique constraint.
 */
const insertAgain = statement<ChargedAgain>(
  'charge-again',
  `with asked as (
     select distinct organization_id, operation_id
     from unnest($1::uuid[], $2::uuid[]) as given (organization_id, operation_id)
   ), account as (
     select organization_id, ${available} as available
     from credit_accounts
     where organization_id in (select organization_id from asked)
     order by organization_id
     for update
   ), latest as (
     select distinct on (organization_id, operation_id) ${columnsOf(creditLog, 'credit_log')}
     from asked
     join credit_log using (organization_id, operation_id)
     where item = 0 and kind = 'charge'
     order by organization_id, operation_id, attempt desc
   ), taken_back as (
     select latest.*, row_number() over (partition by organization_id order by id) as rank
     from latest
     where exists (
       select
       from credit_log as reversal
       where reversal.organization_id = latest.organization_id
         and reversal.operation_id = latest.operation_id
         and reversal.item = latest.item
         and reversal.kind = 'reversal'
         and reversal.attempt = latest.attempt)
   ), affordable as (
     select taken_back.*
     from taken_back
     join account on account.organization_id = taken_back.organization_id
     where rank <= available
   ), charged as (
     insert into credit_log (id, organization_id, kind, amount, operation_id, item, attempt, environment,
       operation, template_id, actor_id, created_at)
     select uuidv7(), organization_id, 'charge', amount, operation_id, item, attempt + 1, environment,
       operation, template_id, actor_id, $3
     from affordable
     on conflict (organization_id, operation_id, item, kind, attempt) do nothing
     returning organization_id, amount
   ), spent as (
     select organization_id, sum(amount) as amount
     from charged
     group by organization_id
   ), paid as (
     update credit_accounts
     set balance = balance + spent.amount, updated_at = $3
     from spent
     where credit_accounts.organization_id = spent.organization_id
   )
   select (select count(*) from charged) as charged_again,
     (select count(*) from taken_back) - (select count(*) from affordable) as lost`,
);

/** Charges operations with reversed charges again, for good; charges in force are left unchanged. */
export const chargeAgain = async (
  tx: Transaction,
  answers: readonly RememberedAnswer[],
  at: Date,
): Promise<ChargedAgain> => {
  const [result] = await tx.query(insertAgain, [
    answers.map((it) => it.organization_id),
    answers.map((it) => it.operation_id),
    at,
  ]);
  return result ?? { charged_again: 0, lost: 0 };
};
