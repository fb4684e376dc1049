import { type Queryable, statement, type Transaction } from '@stanza/runtime';
import type { AuditRow } from './audit-entity.ts';

/** A line of the log, by its place in the order in which lines were written. */
export type Position = Pick<AuditRow, 'recorded_at' | 'id'>;

/** Which lines are asked for. */
export interface LinesQuery {
  /** Undefined: of every organization. */
  organizationId: string | undefined;
  after: Position | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  limit: number;
}

/**
 * Lines carry the moment at which their transaction began. Those from the beginning of the oldest transaction that still
 * runs on are held back, for it may add a line before them: a reader that has passed it would never see it. Only this
 * service's role writes lines, and it sees its own transactions. The second is for one that has just begun and is not
 * shown yet.
 */
const settled = `recorded_at < (
       select coalesce(min(xact_start), now()) - interval '1 second'
       from pg_stat_activity
       where usename = current_user and datname = current_database() and xact_start is not null
     )`;

const rest = `and (recorded_at, id) > ($1, $2)
     and at >= coalesce($3, '-infinity'::timestamptz)
     and at < coalesce($4, 'infinity'::timestamptz)
   order by recorded_at, id
   limit $5`;

const selectAll = statement<AuditRow>(
  'audit-log-after',
  `select *
   from audit_log
   where ${settled}
     ${rest}`,
);

const selectOwn = statement<AuditRow>(
  'audit-log-after-own',
  `select *
   from audit_log
   where organization_id = $6
     and ${settled}
     ${rest}`,
);

const beginning: Position = { recorded_at: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

/** Lines after a position, in the order in which they were written. */
export const linesAfter = (
  database: Queryable,
  { organizationId, after = beginning, from, to, limit }: LinesQuery,
): Promise<AuditRow[]> => {
  const values = [after.recorded_at, after.id, from ?? null, to ?? null, limit];
  return organizationId === undefined
    ? database.query(selectAll, values)
    : database.query(selectOwn, [...values, organizationId]);
};

const insertStream = statement<Record<string, never>>(
  'audit-stream-begin',
  `insert into audit_streams (name, recorded_at, line_id)
   values ($1, $2, $3)
   on conflict (name) do nothing`,
);

const lockStream = statement<Position>(
  'audit-stream-lock',
  `select recorded_at, line_id as id
   from audit_streams
   where name = $1
   for update skip locked`,
);

/** How far a stream has come, locked until the transaction ends; undefined while another process writes it. */
export const lockAuditStream = async (tx: Transaction, name: string): Promise<Position | undefined> => {
  await tx.query(insertStream, [name, beginning.recorded_at, beginning.id]);
  const [found] = await tx.query(lockStream, [name]);
  return found;
};

const updateStream = statement<Record<string, never>>(
  'audit-stream-advance',
  `update audit_streams
   set recorded_at = $2, line_id = $3
   where name = $1`,
);

/** Notes how far a stream has come. */
export const advanceAuditStream = async (
  tx: Transaction,
  name: string,
  { recorded_at, id }: Position,
): Promise<void> => {
  await tx.query(updateStream, [name, recorded_at, id]);
};
