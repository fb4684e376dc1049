import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { beginning, type PlacedAuditRow, type Position, place, placedColumns } from './audit-stream.ts';
import { type AuditSealRow, auditSeals } from './audit-tables.ts';

/** A seal as it is added; the database says when. */
export type NewAuditSeal = Omit<AuditSealRow, 'sealed_at' | 'forgotten_at'>;

const selectLast = statement<AuditSealRow>(
  'audit-seals-last',
  `select ${columnsOf(auditSeals, 'last')}
   from unnest($1::uuid[]) as asked (id)
   cross join lateral (
     select ${columnsOf(auditSeals)}
     from audit_seals
     where organization_id = asked.id
     order by number desc
     limit 1
   ) as last`,
);

/** The last seal of each of these organizations that has one. */
export const lastSeals = async (
  database: Queryable,
  organizationIds: readonly string[],
): Promise<Map<string, NewAuditSeal>> =>
  new Map((await database.query(selectLast, [organizationIds])).map((it) => [it.organization_id, it]));

const insertSeal = statement<Record<string, never>>(
  'audit-seal-insert',
  `insert into audit_seals (organization_id, number, previous_hash, line_count, end_place, end_id, lines_digest,
     hash, last_recorded_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

/** Adds a seal. */
export const addSeal = async (tx: Transaction, seal: NewAuditSeal): Promise<void> => {
  await tx.query(insertSeal, [
    seal.organization_id,
    seal.number,
    seal.previous_hash,
    seal.line_count,
    seal.end_place,
    seal.end_id,
    seal.lines_digest,
    seal.hash,
    seal.last_recorded_at,
  ]);
};

const selectSeals = statement<AuditSealRow>(
  'audit-seals-after',
  `select ${columnsOf(auditSeals)}
   from audit_seals
   where organization_id = $1 and number >= $2
   order by number
   limit $3`,
);

/** The seals of an organization from a number on, the oldest first. */
export const sealsFrom = (
  database: Queryable,
  organizationId: string,
  number: number,
  limit: number,
): Promise<AuditSealRow[]> => database.query(selectSeals, [organizationId, number, limit]);

/** Where a seal ends; the beginning of the log without one. */
export const endOf = (seal: NewAuditSeal | undefined): Position =>
  seal ? { place: seal.end_place, id: seal.end_id } : beginning;

const selectCovered = statement<PlacedAuditRow>(
  'audit-log-covered',
  `select ${placedColumns}
   from audit_log
   where organization_id = $1 and (${place}, id) > ($2, $3) and (${place}, id) <= ($4, $5)
   order by ${place}, id
   limit $6`,
);

/** The entries of an organization after one place, up to another; at most this many. */
export const linesBetween = (
  database: Queryable,
  organizationId: string,
  after: Position,
  end: Position,
  limit: number,
): Promise<PlacedAuditRow[]> =>
  database.query(selectCovered, [organizationId, after.place, after.id, end.place, end.id, limit]);

/** The entries that no seal covers yet. */
export interface Unsealed {
  count: number;
  /** One of them was written more than ten minutes ago: nothing seals any more. */
  is_late: boolean;
}

const countAfter = statement<Unsealed>(
  'audit-log-unsealed',
  `select count(*) as count,
     coalesce(min(recorded_at) < clock_timestamp() - interval '10 minutes', false) as is_late
   from audit_log
   where organization_id = $1 and (${place}, id) > ($2, $3)`,
);

/** The entries of an organization after its last seal. */
export const findUnsealed = async (database: Queryable, organizationId: string): Promise<Unsealed> => {
  const last = endOf((await lastSeals(database, [organizationId])).get(organizationId));
  const [counted] = await database.query(countAfter, [organizationId, last.place, last.id]);
  return counted ?? { count: 0, is_late: false };
};

const forget = statement<{ forgotten: number }>(
  'audit-log-retention',
  'select forget_audit($1, $2) as forgotten',
);

/** Seals whose entries one call deletes. */
const sealsAtOnce = 200;

/**
 * Deletes sealed entries that were written the given days ago, of all organizations and a bounded number of seals. The
 * database keeps what is younger than 30 days.
 * @returns the number of seals
 */
export const forgetLines = async (database: Queryable, days: number): Promise<number> => {
  const [answer] = await database.query(forget, [days, sealsAtOnce]);
  return answer?.forgotten ?? 0;
};
