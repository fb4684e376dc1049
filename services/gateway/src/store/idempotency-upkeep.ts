import type { IdempotencyRecord } from '@stanza/contracts';
import { type Queryable, statement } from '@stanza/runtime';
import { type AgedRecord, agedColumns } from './idempotency-records.ts';
import type { IdempotencyRow, UnconfirmedAnswerRow } from './tables.ts';

const sweep = statement<Pick<IdempotencyRow, 'operation_id'>>(
  'idempotency-sweep',
  `with expired as (
     select operation_id
     from idempotency_records
     where expires_at <= (select clock_timestamp())
     order by expires_at
     limit $1
     for update skip locked
   )
   delete from idempotency_records as record
   using expired
   where record.operation_id = expired.operation_id
   returning record.operation_id`,
);

/** Deletes expired answers; rows being deleted by another gateway are skipped. Returns their number. */
export const sweepExpired = async (db: Queryable, limit: number): Promise<number> => {
  const rows = await db.query(sweep, [limit]);
  return rows.length;
};

/** Idempotent requests without an answer. */
export interface Blocked {
  /** Counted up to the limit. */
  count: number;
  /** Age of the oldest claim. */
  oldest_seconds: number;
}

const countBlocked = statement<Blocked>(
  'idempotency-blocked',
  `select count(*) as count,
     coalesce(extract(epoch from clock_timestamp() - min(claimed_at)), 0)::float8 as oldest_seconds
   from (
     select claimed_at
     from idempotency_records
     where completed_at is null
       and released_at is null
       and claimed_at <= (select clock_timestamp()) - $1::float8 * interval '1 millisecond'
     order by claimed_at
     limit $2) as blocked`,
);

/** Counts the requests without an answer for the given milliseconds, up to `limit`. */
export const findBlocked = async (db: Queryable, afterMs: number, limit: number): Promise<Blocked> => {
  const [blocked] = await db.query(countBlocked, [afterMs, limit]);
  return blocked ?? { count: 0, oldest_seconds: 0 };
};

const unanswered = statement<AgedRecord>(
  'idempotency-unanswered',
  `select ${agedColumns}
   from idempotency_records
   where completed_at is null
     and released_at is null
     and operation = any ($1::text[])
     and not operation_id = any ($2::uuid[])
   order by claimed_at
   limit $3`,
);

/** The oldest requests without an answer of some operations, but for some of them. */
export const findUnanswered = (
  db: Queryable,
  operations: readonly string[],
  except: readonly string[],
  limit: number,
): Promise<AgedRecord[]> => db.query(unanswered, [operations, except, limit]);

const readUnconfirmed = statement<Pick<UnconfirmedAnswerRow, 'operation_id' | 'organization_id'>>(
  'unconfirmed-answers',
  `select operation_id, organization_id
   from unconfirmed_answers
   order by completed_at
   limit $1`,
);

/** Stored answers with unconfirmed charges, the oldest first. */
export const unconfirmedAnswers = (
  db: Queryable,
  limit: number,
): Promise<Pick<UnconfirmedAnswerRow, 'operation_id' | 'organization_id'>[]> =>
  db.query(readUnconfirmed, [limit]);

const dropConfirmed = statement<Pick<UnconfirmedAnswerRow, 'operation_id'>>(
  'unconfirmed-answers-drop',
  `delete from unconfirmed_answers
   where operation_id = any ($1)`,
);

/** Marks the charges of these operations as confirmed. */
export const answersConfirmed = async (db: Queryable, operationIds: readonly string[]): Promise<void> => {
  await db.query(dropConfirmed, [operationIds]);
};

/** Filters of an operator. */
export interface RecordQuery {
  state: IdempotencyRecord['state'];
  organization_id?: string | undefined;
  key?: string | undefined;
  limit: number;
  offset: number;
}

/** A record without its answer. */
export type RecordFacts = Omit<IdempotencyRow, 'body' | 'fingerprint' | 'content_type'> & {
  body_bytes: number | null;
};

const factColumns = `organization_id, environment, operation, key, operation_id, request_id, actor_id, claimed_at,
     released_at, completed_at, settled, status, expires_at, octet_length(body) as body_bytes`;

const list = statement<RecordFacts>(
  'idempotency-list',
  `select ${factColumns}
   from idempotency_records
   where ($1::uuid is null or organization_id = $1)
     and ($2::text is null or key = $2)
     and case $3
       when 'incomplete' then completed_at is null and released_at is null
       when 'released' then released_at is not null
       else completed_at is not null
     end
   order by claimed_at, operation_id
   limit $4 offset $5`,
);

/** Lists records of any tenant, oldest first, for operators. */
export const listRecords = (db: Queryable, query: RecordQuery): Promise<RecordFacts[]> =>
  db.query(list, [query.organization_id, query.key, query.state, query.limit, query.offset]);

const readFacts = statement<RecordFacts>(
  'idempotency-facts',
  `select ${factColumns}
   from idempotency_records
   where operation_id = $1`,
);

/** Reads the record of an operation of any tenant, without its answer, for operators. */
export const findFacts = async (db: Queryable, operationId: string): Promise<RecordFacts | undefined> => {
  const [facts] = await db.query(readFacts, [operationId]);
  return facts;
};
