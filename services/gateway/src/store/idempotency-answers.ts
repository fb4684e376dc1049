import { type Queryable, statement, type Tenant } from '@stanza/runtime';
import type { IdempotencyRow } from './tables.ts';

/** A stored answer. */
export interface RememberedAnswer {
  status: number;
  contentType: string;
  body: Buffer;
}

/** The end of an idempotent request. */
export interface Completion extends RememberedAnswer {
  operationId: string;
  /** Milliseconds for which it is replayed. */
  keptMs: number;
  /** Its charge is provisional until it is confirmed. */
  toConfirm: boolean;
  /** Given by an operator. */
  settled: boolean;
}

/** A completion with its tenant. */
export interface TenantCompletion {
  tenant: Tenant;
  end: Completion;
}

// The bodies are given as one value, end to end, since an array of them would be written as text. Without statistics of
// the last minutes Postgres reads all records, or all of an organization, for the rows of a join. So the ids are given as
// a list, too, and the other conditions are written in a way that no index serves.
const complete = statement<Pick<IdempotencyRow, 'operation_id'>>(
  'idempotency-complete',
  `with given as (
     select *
     from unnest($1::uuid[], $2::text[], $3::uuid[], $4::smallint[], $5::text[], $6::integer[], $7::integer[],
         $8::float8[], $9::boolean[], $10::boolean[])
       as given (organization_id, environment, operation_id, status, content_type, body_from, body_bytes, kept_ms,
         settled, to_confirm)
   ), completed as (
     update idempotency_records as record
     set completed_at = clock_timestamp(),
         status = given.status,
         content_type = given.content_type,
         body = substring($11::bytea from given.body_from for given.body_bytes),
         expires_at = clock_timestamp() + given.kept_ms * interval '1 millisecond',
         settled = given.settled,
         released_at = null
     from given
     where record.operation_id = given.operation_id
       and record.operation_id = any ((select $3::uuid[])::uuid[])
       and record.organization_id is not distinct from given.organization_id
       and record.environment is not distinct from given.environment
       and num_nulls(record.completed_at) = 1
     returning record.operation_id, record.organization_id, record.completed_at, given.to_confirm
   ), unconfirmed as (
     insert into unconfirmed_answers (operation_id, organization_id, completed_at)
     select operation_id, organization_id, completed_at
     from completed
     where to_confirm
   )
   select operation_id
   from completed`,
);

/**
 * Writes the answers of idempotent requests, to be replayed from now on.
 * @returns for each, false when its record has an answer already, or no longer exists
 */
export const completeRecords = async (
  db: Queryable,
  completions: readonly TenantCompletion[],
): Promise<boolean[]> => {
  const ends = completions.map(({ end }) => end);
  const starts: number[] = [];
  let next = 1;
  for (const { body } of ends) {
    starts.push(next);
    next += body.length;
  }
  const rows = await db.query(complete, [
    completions.map(({ tenant }) => tenant.organizationId),
    completions.map(({ tenant }) => tenant.environment),
    ends.map((it) => it.operationId),
    ends.map((it) => it.status),
    ends.map((it) => it.contentType),
    starts,
    ends.map((it) => it.body.length),
    ends.map((it) => it.keptMs),
    ends.map((it) => it.settled),
    ends.map((it) => it.toConfirm),
    Buffer.concat(ends.map((it) => it.body)),
  ]);
  const completed = new Set(rows.map((row) => row.operation_id));
  return ends.map((it) => completed.has(it.operationId));
};

/** {@link completeRecords} of one request. */
export const completeRecord = async (tenant: Tenant, db: Queryable, end: Completion): Promise<boolean> =>
  (await completeRecords(db, [{ tenant, end }]))[0] === true;
