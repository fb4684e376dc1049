import { type FindNext, nextDue, type Queryable, statement } from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { v7 as uuidv7 } from 'uuid';
import {
  type Charge,
  type ChargeFacts,
  type ChargeOutcome,
  isUnsettled,
  outcomesOf,
} from '../domain/charges.ts';
import { available } from './available.ts';
import { creditLog } from './credit-tables.ts';

/**
 * One round trip, so that the account is locked only while the statement runs. The statement sees the ledger as of its
 * start, and the account as of the moment it gets the lock; a charge made in between violates the ledger's unique
 * constraint.
 */
const insertCharges = statement<ChargeFacts>(
  'charge-batch',
  `with incoming as (
     select *
     from unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::text[])
       with ordinality as given (id, operation_id, environment, template_id, actor_id, place)
   ), account as (
     select balance - reserved as remaining, ${available} as available, overage
     from credit_accounts
     where organization_id = $1
     for update
   ), known as (
     select operation_id, (array_agg(id order by attempt desc) filter (where kind = 'charge'))[1] as id,
       count(*) filter (where kind = 'charge') = count(*) filter (where kind = 'reversal') as is_reversed,
       max(attempt) as attempt
     from credit_log
     where organization_id = $1 and operation_id = any ($3) and item = 0
     group by operation_id
   ), fresh as (
     select incoming.*, coalesce(known.attempt + 1, 0) as attempt, row_number() over (order by place) as rank
     from incoming
     left join known on known.operation_id = incoming.operation_id
     where known.operation_id is null or known.is_reversed
   ), charged as (
     insert into credit_log (id, organization_id, kind, amount, operation_id, attempt, environment, operation,
       template_id, actor_id, created_at)
     select id, $1, 'charge', -1, operation_id, attempt, environment, 'compile', template_id, actor_id, $7
     from fresh
     cross join account
     where rank <= available
     on conflict (organization_id, operation_id, item, kind, attempt) do nothing
     returning id, operation_id
   ), provisional as (
     insert into provisional_charges (operation_id, organization_id, charged_at)
     select operation_id, $1, clock_timestamp()
     from charged
   ), paid as (
     update credit_accounts
     set balance = balance - spent.amount, updated_at = $7
     from (select count(*) as amount from charged) as spent
     where organization_id = $1 and spent.amount > 0
   )
   select coalesce(charged.id, case when not known.is_reversed then known.id end) as credit_log_id,
     charged.id is not null as is_new, remaining, overage, coalesce(rank <= available, false) as is_affordable
   from incoming
   left join account on true
   left join known on known.operation_id = incoming.operation_id
   left join fresh on fresh.operation_id = incoming.operation_id
   left join charged on charged.operation_id = incoming.operation_id
   order by incoming.place`,
);

/** Rounds after which a batch with colliding repeats gives up; each collision needs another racing transaction. */
const maxRounds = 5;

const chargeOnce = async (
  database: Queryable,
  organizationId: string,
  charges: readonly Charge[],
  at: Date,
): Promise<ChargeFacts[]> =>
  database.query(insertCharges, [
    organizationId,
    charges.map(() => uuidv7()),
    charges.map((it) => it.operation_id),
    charges.map((it) => it.environment),
    charges.map((it) => it.template_id),
    charges.map((it) => it.actor_id),
    at,
  ]);

/**
 * Charges one credit for each operation, in order, while credits remain, and each operation once: a repeat gets the
 * first charge, and one that was reversed in between is charged again. All charges are provisional, so the charge of an
 * unconfirmed repeat is reversed like the first. Returns one outcome for each charge.
 */
export const chargeBatch = async (
  database: Queryable,
  organizationId: string,
  charges: readonly Charge[],
  at: Date,
): Promise<ChargeOutcome[]> => {
  const outcomes = new Map<string, ChargeOutcome>();
  let open = [...new Map(charges.map((it) => [it.operation_id, it])).values()];
  for (let round = 0; open.length > 0; round += 1) {
    if (round === maxRounds) throw new Error('the charges kept colliding with those of other processes');
    const facts = await chargeOnce(database, organizationId, open, at);
    const mustRepeat = facts.some(isUnsettled);
    const results = outcomesOf(facts);
    open = open.filter((charge, index) => {
      const outcome = results[index];
      if (!outcome) throw new TypeError('a charge has no outcome');
      outcomes.set(charge.operation_id, outcome);
      return mustRepeat && !outcome.charged;
    });
  }
  return charges.map(({ operation_id }) => {
    const outcome = outcomes.get(operation_id);
    if (!outcome) throw new TypeError('a charge has no outcome');
    return outcome;
  });
};

const deleteConfirmed = statement<{ operation_id: string }>(
  'charge-confirm',
  `with confirmed as (
     select operation_id
     from provisional_charges
     where operation_id = any ($1)
     order by operation_id
     for update
   )
   delete from provisional_charges
   using confirmed
   where provisional_charges.operation_id = confirmed.operation_id
   returning provisional_charges.operation_id`,
);

/** Makes charges final; returns the number that were still provisional. */
export const confirmOperations = async (
  database: Queryable,
  operationIds: readonly string[],
): Promise<number> => {
  const confirmed = await database.query(deleteConfirmed, [operationIds]);
  return confirmed.length;
};

/** Charges reversed by one statement, and accounts it locks, at most. */
const reversalBatch = 500;

/** Takes the overdue charges of the accounts that are locked, and writes their reversals. */
const reversing = `overdue as (
     select operation_id
     from provisional_charges
     join account using (organization_id)
     where charged_at <= (select clock_timestamp()) - $1::float8 * interval '1 millisecond'
     order by charged_at
     limit $3
     for update of provisional_charges skip locked
   ), taken as (
     delete from provisional_charges
     using overdue
     where provisional_charges.operation_id = overdue.operation_id
     returning provisional_charges.organization_id, provisional_charges.operation_id
   ), reversed as (
     insert into credit_log (id, organization_id, kind, amount, operation_id, item, attempt, environment,
       operation, template_id, actor_id, created_at)
     select uuidv7(), charge.organization_id, 'reversal', -charge.amount, charge.operation_id, charge.item,
       charge.attempt, charge.environment, charge.operation, charge.template_id, charge.actor_id, $2
     from taken
     cross join lateral (
       select ${columnsOf(creditLog)}
       from credit_log
       where organization_id = taken.organization_id and operation_id = taken.operation_id
         and item = 0 and kind = 'charge'
       order by attempt desc
       limit 1) as charge
     returning organization_id, amount
   ), given_back as (
     select organization_id, sum(amount) as amount
     from reversed
     group by organization_id
   ), paid as (
     update credit_accounts
     set balance = balance + given_back.amount, updated_at = $2
     from given_back
     where credit_accounts.organization_id = given_back.organization_id
   )
   select count(*) as reversed
   from reversed`;

// The accounts are locked before anything is written, and one that is held is passed over with its charges: it would
// make those of all others wait. Nothing in the statement waits for a lock, so it is in no deadlock and needs no
// transaction to be repeated in.
const reverseFree = statement<{ reversed: number }>(
  'charge-reverse-overdue',
  `with owed as (
     select organization_id
     from provisional_charges
     where charged_at <= (select clock_timestamp()) - $1::float8 * interval '1 millisecond'
     group by organization_id
     order by min(charged_at)
     limit $3
   ), account as (
     select organization_id
     from credit_accounts
     where organization_id = any (array(select organization_id from owed))
     order by organization_id
     for update skip locked
   ), ${reversing}`,
);

const reverseHeld = statement<{ reversed: number }>(
  'charge-reverse-held',
  `with account as (
     select organization_id
     from credit_accounts
     where organization_id = $4
     for update
   ), ${reversing}`,
);

const selectLongOverdue = statement<{ organization_id: string }>(
  'charge-long-overdue',
  `select organization_id
   from provisional_charges
   where charged_at <= (select clock_timestamp()) - $1::float8 * interval '1 millisecond'
   group by organization_id
   order by organization_id <= $2::uuid, organization_id
   limit 1`,
);

/**
 * Reverses charges that are still provisional after the given milliseconds, each with a ledger row. Charges that are
 * being confirmed or reversed elsewhere, and those of an account that someone holds, are left for a later call. Returns
 * the number of reversed ones; more may be left.
 */
export const reverseOverdue = async (database: Queryable, afterMs: number, at: Date): Promise<number> => {
  const [row] = await database.query(reverseFree, [afterMs, at, reversalBatch]);
  return row?.reversed ?? 0;
};

/**
 * Reverses the overdue charges of one organization, and waits for its account. Returns the number of reversed ones;
 * more may be left.
 * @throws when the account is held for longer than a statement waits for a lock, see `isLockTimeout`
 */
export const reverseOverdueOf = async (
  database: Queryable,
  organizationId: string,
  afterMs: number,
  at: Date,
): Promise<number> => {
  const [row] = await database.query(reverseHeld, [afterMs, at, reversalBatch, organizationId]);
  return row?.reversed ?? 0;
};

/**
 * An organization with charges that are still provisional after the given milliseconds: the next one in the order of
 * their ids after the one given, or the first, so that each has its turn.
 */
export const longOverdueAfter = async (
  database: Queryable,
  organizationId: string | undefined,
  afterMs: number,
): Promise<string | undefined> => {
  const [row] = await database.query(selectLongOverdue, [afterMs, organizationId]);
  return row?.organization_id;
};

/** Finds the time until the first charge has been provisional for the given milliseconds. */
export const nextOverdue = (afterMs: number): FindNext =>
  nextDue('charge-next-overdue', { from: 'provisional_charges', moment: 'charged_at', afterMs });
