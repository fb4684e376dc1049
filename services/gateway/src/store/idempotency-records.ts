import { type Queryable, type Statement, statement, type Tenant } from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { type IdempotencyRow, idempotencyRecords } from './tables.ts';

/** A request for a key. */
export interface NewClaim {
  operation: string;
  key: string;
  operationId: string;
  fingerprint: Buffer;
  requestId: string;
  actorId: string;
}

/** The outcome of a claim: granted, under a new operation id or that of a released one, or taken. */
export type Claim =
  | { kind: 'claimed'; operationId: string; isRerun: boolean }
  | { kind: 'taken'; record: AgedRecord };

/** A record, and the age of its claim. */
export type AgedRecord = IdempotencyRow & { claimed_ms_ago: number };

const ageOf = (of: string): string =>
  `(extract(epoch from clock_timestamp() - ${of}.claimed_at) * 1000)::float8 as claimed_ms_ago`;

/** The columns of an {@link AgedRecord}. */
export const agedColumns = `${columnsOf(idempotencyRecords)}, ${ageOf('idempotency_records')}`;

/** A claim with its tenant. */
export interface TenantClaim {
  tenant: Tenant;
  claim: NewClaim;
}

/** The record of a claim: its own, made now, or that of the request which holds the key, expired or not. */
export type ClaimedRecord = AgedRecord & { is_new: boolean; is_expired: boolean };

// The second half does not see a row inserted by the first, whose snapshot is older, nor one inserted by another
// transaction while this one waited, or by another claim of the statement: the result then has no row, and the claim is
// made again. Ordered by key, so that two gateways never deadlock.
const claimOrRead = statement<ClaimedRecord & { place: number }>(
  'idempotency-claim',
  `with given as (
     select *
     from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::bytea[], $7::text[], $8::text[])
       with ordinality as given
         (organization_id, environment, operation, key, operation_id, fingerprint, request_id, actor_id, place)
   ), claimed as (
     insert into idempotency_records
       (organization_id, environment, operation, key, operation_id, fingerprint, request_id, actor_id, claimed_at)
     select organization_id, environment, operation, key, operation_id, fingerprint, request_id, actor_id,
       clock_timestamp()
     from given
     order by organization_id, environment, operation, key, place
     on conflict on constraint idempotency_records_pk do nothing
     returning ${columnsOf(idempotencyRecords)}
   )
   select ${columnsOf(idempotencyRecords, 'claimed')}, 0::float8 as claimed_ms_ago, true as is_new, false as is_expired, place
   from claimed
   join given using (operation_id)
   union all
   select ${columnsOf(idempotencyRecords, 'record')}, ${ageOf('record')}, false, coalesce(record.expires_at <= clock_timestamp(), false), place
   from given
   join idempotency_records as record
     on record.organization_id = given.organization_id
     and record.environment = given.environment
     and record.operation = given.operation
     and record.key = given.key
   where not exists (select from claimed where claimed.operation_id = given.operation_id)`,
);

/**
 * Makes claims, of any tenants, in one statement. Returns one record for each claim; undefined for one to be made
 * again.
 */
export const claimOrReadAll = async (
  db: Queryable,
  claims: readonly TenantClaim[],
): Promise<(ClaimedRecord | undefined)[]> => {
  const rows = await db.query(claimOrRead, [
    claims.map(({ tenant }) => tenant.organizationId),
    claims.map(({ tenant }) => tenant.environment),
    claims.map(({ claim }) => claim.operation),
    claims.map(({ claim }) => claim.key),
    claims.map(({ claim }) => claim.operationId),
    claims.map(({ claim }) => claim.fingerprint),
    claims.map(({ claim }) => claim.requestId),
    claims.map(({ claim }) => claim.actorId),
  ]);
  const byPlace = new Map(rows.map((row) => [row.place, row]));
  return claims.map((_, index) => byPlace.get(index + 1));
};

const dropExpired = statement<Pick<IdempotencyRow, 'operation_id'>>(
  'idempotency-drop-expired',
  `delete from idempotency_records
   where organization_id = $1
     and environment = $2
     and operation_id = $3
     and expires_at <= clock_timestamp()
   returning operation_id`,
);

const takeReleased = statement<Pick<IdempotencyRow, 'operation_id'>>(
  'idempotency-take-released',
  `update idempotency_records
   set released_at = null,
       claimed_at = clock_timestamp()
   where organization_id = $1
     and environment = $2
     and operation_id = $3
     and released_at is not null
   returning operation_id`,
);

/** Rounds after which a claim that keeps losing gives up; each needs another racing request. */
const maxRounds = 10;

/** Makes one claim, possibly together with others. */
export type ClaimOrRead = (claim: TenantClaim) => Promise<ClaimedRecord | undefined>;

/** Claims a key for a request, once among all racing requests. A key whose answer has expired is free. */
export const claimKey = async (
  tenant: Tenant,
  db: Queryable,
  claim: NewClaim,
  claimOnce: ClaimOrRead,
): Promise<Claim> => {
  const owner = [tenant.organizationId, tenant.environment];
  const { operationId, fingerprint } = claim;
  for (let round = 0; round < maxRounds; round += 1) {
    const record = await claimOnce({ tenant, claim });
    if (!record) continue;
    if (record.is_new) return { kind: 'claimed', operationId, isRerun: false };
    if (record.is_expired) {
      await db.query(dropExpired, [...owner, record.operation_id]);
      continue;
    }
    if (record.released_at === null || !record.fingerprint.equals(fingerprint)) {
      return { kind: 'taken', record };
    }
    const taken = await db.query(takeReleased, [...owner, record.operation_id]);
    if (taken.length > 0) return { kind: 'claimed', operationId: record.operation_id, isRerun: true };
  }
  throw new Error('the idempotency key kept being claimed and freed by concurrent requests');
};

/** The condition of a claim that has no answer yet. */
const isUnanswered =
  'organization_id = $1 and environment = $2 and operation_id = $3 and completed_at is null';

const changesOne = async (
  db: Queryable,
  asked: Statement<Pick<IdempotencyRow, 'operation_id'>>,
  tenant: Tenant,
  operationId: string,
): Promise<boolean> => {
  const rows = await db.query(asked, [tenant.organizationId, tenant.environment, operationId]);
  return rows.length === 1;
};

const free = statement<Pick<IdempotencyRow, 'operation_id'>>(
  'idempotency-free',
  `delete from idempotency_records
   where ${isUnanswered}
   returning operation_id`,
);

/** Deletes a claim without an answer, which frees its key. A record with an answer stays. */
export const freeRecord = (tenant: Tenant, db: Queryable, operationId: string): Promise<boolean> =>
  changesOne(db, free, tenant, operationId);

const reopen = statement<Pick<IdempotencyRow, 'operation_id'>>(
  'idempotency-reopen',
  `update idempotency_records
   set completed_at = null,
       status = null,
       content_type = null,
       body = null,
       expires_at = null
   where organization_id = $1
     and environment = $2
     and operation_id = $3
     and status >= 500
   returning operation_id`,
);

/** Takes a stored failure back, so that the request can be ended in another way. */
export const reopenRecord = async (tenant: Tenant, db: Queryable, operationId: string): Promise<void> => {
  await changesOne(db, reopen, tenant, operationId);
};

const release = statement<Pick<IdempotencyRow, 'operation_id'>>(
  'idempotency-release',
  `update idempotency_records
   set released_at = clock_timestamp()
   where ${isUnanswered}
   returning operation_id`,
);

/** Lets the next request with the key run, under the same operation id. */
export const releaseRecord = (tenant: Tenant, db: Queryable, operationId: string): Promise<boolean> =>
  changesOne(db, release, tenant, operationId);

const selectTaken = statement<{ is_taken: boolean }>(
  'idempotency-taken',
  `select exists (
     select
     from idempotency_records
     where organization_id = $1
       and environment = $2
       and operation = $3
       and key = $4
       and (expires_at is null or expires_at > clock_timestamp())
   ) as is_taken`,
);

/** Whether a key has a record that has not expired. */
export const isTaken = async (
  { organizationId, environment }: Tenant,
  db: Queryable,
  operation: string,
  key: string,
): Promise<boolean> => {
  const [row] = await db.query(selectTaken, [organizationId, environment, operation, key]);
  return row?.is_taken === true;
};

const findOne = statement<AgedRecord>(
  'idempotency-find',
  `select ${agedColumns}
   from idempotency_records
   where operation_id = $1`,
);

/** Reads the record of an operation of any tenant, for operators and the gateway itself. */
export const findRecord = async (db: Queryable, operationId: string): Promise<AgedRecord | undefined> => {
  const [record] = await db.query(findOne, [operationId]);
  return record;
};
