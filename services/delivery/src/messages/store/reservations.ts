import type { Environment } from '@stanza/contracts';
import { deletion, type Queryable, statement, type Tenant, type Transaction } from '@stanza/runtime';
import type { MessageRow } from '../message-tables.ts';

/** An operation that reserved credits, with its tenant. */
export interface ReservedOperation {
  organization_id: string;
  environment: Environment;
  operation_id: string;
}

/** The unit of a settlement: one message and whether it is charged. */
export type ReservedMessage = Pick<MessageRow, 'operation_id' | 'item' | 'id' | 'charged' | 'credit_log_id'>;

const columnsOf = (operations: readonly ReservedOperation[]): string[][] => [
  operations.map((it) => it.organization_id),
  operations.map((it) => it.environment),
  operations.map((it) => it.operation_id),
];

const find = statement<ReservedMessage>(
  'reserved-messages',
  `select message.operation_id, message.item, coalesce(message.revises, message.id) as id, message.charged, message.credit_log_id
   from unnest($1::uuid[], $2::text[], $3::uuid[]) as asked (organization_id, environment, operation_id)
   join messages as message
     on message.organization_id = asked.organization_id
     and message.environment = asked.environment
     and message.operation_id = asked.operation_id
   order by message.item`,
);

/** Reads the messages of operations of any tenants. */
export const findReservedMessages = (
  db: Queryable,
  operations: readonly ReservedOperation[],
): Promise<ReservedMessage[]> => db.query(find, columnsOf(operations));

const withdraw = statement<{ operation_id: string }>(
  'operations-withdraw',
  `insert into withdrawn_operations (organization_id, environment, operation_id, withdrawn_at)
   select asked.organization_id, asked.environment, asked.operation_id, clock_timestamp()
   from unnest($1::uuid[], $2::text[], $3::uuid[]) as asked (organization_id, environment, operation_id)
   order by asked.organization_id, asked.environment, asked.operation_id
   on conflict do nothing
   returning operation_id`,
);

/** Withdraws these operations: their messages cannot be posted from now on, even by a stalled process. */
export const withdrawOperations = async (
  db: Queryable,
  operations: readonly ReservedOperation[],
): Promise<void> => {
  await db.query(withdraw, columnsOf(operations));
};

const claimKey = statement<{ operation_id: string }>(
  'operation-claim',
  `insert into withdrawn_operations (organization_id, environment, operation_id, withdrawn_at)
   values ($1, $2, $3, clock_timestamp())
   on conflict do nothing
   returning operation_id`,
);

/**
 * Locks the key that a withdrawal of the operation inserts. Of a transaction that carries the operation out and a
 * withdrawal, one waits for the other: a later withdrawal finds the result.
 * @returns false when the operation was withdrawn, or carried out before
 */
export const claimOperation = async (
  { organizationId, environment }: Tenant,
  tx: Transaction,
  operationId: string,
): Promise<boolean> => {
  const rows = await tx.query(claimKey, [organizationId, environment, operationId]);
  return rows.length === 1;
};

const forget = deletion('operations-forget-withdrawn', {
  from: 'withdrawn_operations',
  where: "withdrawn_at < (select clock_timestamp()) - interval '24 hours'",
  orderBy: 'withdrawn_at',
});

// A subquery with a limit is asked row by row; as a condition it might be answered from all messages.
const begunOnes = deletion('operations-forget-begun', {
  from: 'withdrawn_operations',
  where: `withdrawn_at < (select clock_timestamp()) - interval '1 hour' and (
         select true
         from messages as message
         where message.organization_id = doomed.organization_id
           and message.environment = doomed.environment
           and message.operation_id = doomed.operation_id
           and message.origin in ('send', 'bulk')
         limit 1)`,
  orderBy: 'withdrawn_at',
});

/**
 * Deletes the keys of requests of an hour ago whose messages exist: a repeat or a withdrawal finds those. A deferred
 * message is kept from its post by its withdrawal, which stays.
 */
export const forgetBegun = (db: Queryable): Promise<number> => begunOnes(db);

/**
 * Deletes withdrawals of a day ago: no process still works on the operation, since no request lives longer than half a
 * minute.
 */
export const forgetWithdrawn = (db: Queryable): Promise<number> => forget(db);
