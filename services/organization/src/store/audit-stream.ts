import { InvariantError, type Queryable, settledPlaceSql, statement } from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { type AuditRow, auditLog } from './audit-tables.ts';

/** The place of an entry in the order in which transactions wrote entries. */
export interface Position {
  place: Date;
  id: string;
}

/** An entry with its place. */
export type PlacedAuditRow = AuditRow & Position;

/** The requested entries. */
export interface LinesQuery {
  /** Undefined: of every organization. */
  organizationId: string | undefined;
  after: Position | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  limit: number;
}

// It is read before the entries, by a statement of its own: one that does both would take its snapshot first.
const settled = statement<{ before: Date }>('audit-log-settled', `select ${settledPlaceSql} as before`);

/** SQL: the place of an entry. */
export const place = 'coalesce(followed_at, recorded_at)';

const rest = `and (${place}, id) > ($1, $2)
     and at >= coalesce($3, '-infinity'::timestamptz)
     and at < coalesce($4, 'infinity'::timestamptz)
   order by ${place}, id
   limit $5`;

/** SQL: the columns of a {@link PlacedAuditRow}. */
export const placedColumns = `${columnsOf(auditLog)}, ${place} as place`;

const selectAll = statement<PlacedAuditRow>(
  'audit-log-after',
  `select ${placedColumns}
   from audit_log
   where ${place} < $6
     ${rest}`,
);

const selectOwn = statement<PlacedAuditRow>(
  'audit-log-after-own',
  `select ${placedColumns}
   from audit_log
   where organization_id = $7
     and ${place} < $6
     ${rest}`,
);

/** Before every entry. */
export const beginning: Position = { place: new Date(0), id: '00000000-0000-0000-0000-000000000000' };

/** Entries after a position, in the order in which they were written. */
export const linesAfter = async (
  database: Pick<Queryable, 'query'>,
  { organizationId, after = beginning, from, to, limit }: LinesQuery,
): Promise<PlacedAuditRow[]> => {
  const [moment] = await database.query(settled);
  if (!moment) throw new InvariantError('a select without a table has one row');
  const values = [after.place, after.id, from ?? null, to ?? null, limit, moment.before];
  return organizationId === undefined
    ? database.query(selectAll, values)
    : database.query(selectOwn, [...values, organizationId]);
};

/**
 * The place of a stream, and whether any entry is after it. The last entry is compared: a search for a later one reads
 * all entries where there is none.
 */
export const readPosition = statement<Position & { is_at_end: boolean }>(
  'audit-stream-position',
  `select recorded_at as place, line_id as id,
     coalesce(
       (select (${place}, audit_log.id) <= (audit_streams.recorded_at, line_id)
        from audit_log
        order by ${place} desc, audit_log.id desc
        limit 1),
       true) as is_at_end
   from audit_streams
   where name = $1`,
);

/** The position of a stream; undefined while no entry is after it. */
export const positionOfStream = async (database: Queryable, name: string): Promise<Position | undefined> => {
  const [found] = await database.query(readPosition, [name]);
  if (found === undefined) return beginning;
  return found.is_at_end ? undefined : { place: found.place, id: found.id };
};

/** Longer than a target takes for one chunk; a lost process blocks the others for this long. */
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
 * Leases a stream that is still at a position, so that one process writes at a time.
 * @returns the end of the lease; undefined while another process holds it, or where the stream has advanced
 */
export const leaseAuditStream = async (
  database: Queryable,
  name: string,
  { place: at, id }: Position,
): Promise<Date | undefined> => {
  const [claimed] = await database.query(claimStream, [name, at, id]);
  return claimed?.leased_until;
};

const releaseStream = statement<Record<string, never>>(
  'audit-stream-release',
  `update audit_streams
   set leased_until = null
   where name = $1 and leased_until = $2`,
);

/** Releases the lease of a stream, unless another process has taken it over since. */
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
 * Advances the position of a stream, unless it has advanced in the meantime. The lease is not checked: a target slower
 * than any lease makes progress as well.
 */
export const advanceAuditStream = async (
  database: Queryable,
  name: string,
  { from, to }: { from: Position; to: Position },
): Promise<boolean> => {
  const moved = await database.query(updateStream, [name, from.place, from.id, to.place, to.id]);
  return moved.length > 0;
};
