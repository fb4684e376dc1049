import { type Queryable, statement } from '@stanza/runtime';
import { type AuditRow, auditEntity } from './audit-entity.ts';

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

/** Named, since a column that a later version adds would change the rows of a prepared `*`. */
const columns = Object.keys(auditEntity.options.columns).join(', ');

const selectAll = statement<AuditRow>(
  'audit-log-after',
  `select ${columns}
   from audit_log
   where ${settled}
     ${rest}`,
);

const selectOwn = statement<AuditRow>(
  'audit-log-after-own',
  `select ${columns}
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

const selectPosition = statement<Position>(
  'audit-stream-position',
  `select recorded_at, line_id as id
   from audit_streams
   where name = $1`,
);

/** How far a stream has come. */
export const positionOfStream = async (database: Queryable, name: string): Promise<Position> => {
  const [found] = await database.query(selectPosition, [name]);
  return found ?? beginning;
};

/** Longer than a target takes for one chunk; a process that was lost keeps the others waiting for so long. */
const lease = "interval '60 seconds'";

const claimStream = statement<{ leased_until: Date }>(
  'audit-stream-claim',
  `insert into audit_streams (name, recorded_at, line_id, leased_until)
   values ($1, $2, $3, clock_timestamp() + ${lease})
   on conflict (name) do update
   set leased_until = excluded.leased_until
   where audit_streams.recorded_at = $2
     and audit_streams.line_id = $3
     and (audit_streams.leased_until is null or audit_streams.leased_until <= clock_timestamp())
   returning leased_until`,
);

/**
 * Takes a stream that is still at a position, so that one process writes at a time.
 * @returns the end of the lease; undefined while another process has it, or where the stream has got on
 */
export const leaseAuditStream = async (
  database: Queryable,
  name: string,
  { recorded_at, id }: Position,
): Promise<Date | undefined> => {
  const [claimed] = await database.query(claimStream, [name, recorded_at, id]);
  return claimed?.leased_until;
};

const releaseStream = statement<Record<string, never>>(
  'audit-stream-release',
  `update audit_streams
   set leased_until = null
   where name = $1 and leased_until = $2`,
);

/** Gives a stream back; one that another process has taken after the end of the lease stays theirs. */
export const releaseAuditStream = async (
  database: Queryable,
  name: string,
  leasedUntil: Date,
): Promise<void> => {
  await database.query(releaseStream, [name, leasedUntil]);
};

const updateStream = statement<{ name: string }>(
  'audit-stream-advance',
  `update audit_streams
   set recorded_at = $4, line_id = $5
   where name = $1 and recorded_at = $2 and line_id = $3
   returning name`,
);

/**
 * Notes how far a stream has come, unless it has got on meanwhile. The lease is not asked for: a target that is slower
 * than any lease gets on as well.
 */
export const advanceAuditStream = async (
  database: Queryable,
  name: string,
  { from, to }: { from: Position; to: Position },
): Promise<boolean> => {
  const moved = await database.query(updateStream, [name, from.recorded_at, from.id, to.recorded_at, to.id]);
  return moved.length > 0;
};
