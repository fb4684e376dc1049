import type { InputOf, setMaintenance } from '@stanza/contracts';
import { findRow, type Queryable, statement } from '@stanza/runtime';
import type { MaintenanceRow } from './tables.ts';

const read = statement<MaintenanceRow>(
  'maintenance-read',
  `select id, is_on, message, retry_after, since
   from maintenance`,
);

/** The maintenance mode of all gateways; undefined when it was never set. */
export const readMaintenance = (db: Queryable): Promise<MaintenanceRow | undefined> => findRow(db, read);

const write = statement<MaintenanceRow>(
  'maintenance-write',
  `insert into maintenance as known (id, is_on, message, retry_after, since)
   values (true, $1, $2, $3, case when $1 then $4::timestamptz end)
   on conflict on constraint maintenance_pk do update
   set is_on = excluded.is_on,
       message = excluded.message,
       retry_after = excluded.retry_after,
       since = case when known.is_on and excluded.is_on then known.since else excluded.since end
   returning id, is_on, message, retry_after, since`,
);

/** Sets the maintenance mode; a continued one keeps its beginning. */
export const writeMaintenance = async (
  db: Queryable,
  { on, message, retry_after }: InputOf<typeof setMaintenance>,
  now: Date,
): Promise<MaintenanceRow> => {
  const [row] = await db.query(write, [on, message, retry_after, now]);
  if (!row) throw new Error('the maintenance mode was not written');
  return row;
};
