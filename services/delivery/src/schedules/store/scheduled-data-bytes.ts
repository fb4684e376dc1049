import {
  type Allowance,
  findRow,
  lockStored,
  type Queryable,
  statement,
  type Tenant,
  type Transaction,
  tierLimit,
} from '@stanza/runtime';

/** Rows that one write counts for those that are older than the count. */
const olderAtOnce = 200;

/** What is older than the count is measured, so that the sum is right from the first moment on. */
const total = statement<{ bytes: number; older: number }>(
  'scheduled-data-bytes',
  `select coalesce(sum(bytes), 0)::bigint as bytes, sum(older)::bigint as older
   from (
     select sum(data_bytes) as bytes, 0 as older
     from scheduled_messages
     where organization_id = $1 and status = 'active' and data_bytes is not null
     union all
     select sum(octet_length(data::text)), count(*)
     from scheduled_messages
     where organization_id = $1 and status = 'active' and data_bytes is null) as stored`,
);

/** The column is written as it is, and the trigger counts. Rows that somebody else has locked wait for the next write. */
const countOlder = statement<Record<string, never>>(
  'count-older-scheduled-data',
  `update scheduled_messages as stored
   set data = stored.data
   from (
     select organization_id, environment, id
     from scheduled_messages
     where organization_id = $1 and status = 'active' and data_bytes is null
     limit ${olderAtOnce}
     for update skip locked) as older
   where stored.organization_id = older.organization_id
     and stored.environment = older.environment
     and stored.id = older.id`,
);

const readTotal = async (db: Queryable, organizationId: string) =>
  (await findRow(db, total, [organizationId])) ?? { bytes: 0, older: 0 };

/** The bytes of the data of an organization's active scheduled messages, in both environments. */
export const countScheduledData = async (db: Queryable, organizationId: string): Promise<number> =>
  (await readTotal(db, organizationId)).bytes;

/**
 * Runs the insert of a scheduled message, and refuses it when it leaves more bytes of data than the tier allows. One that
 * stores nothing is a repeat, and not refused. Requests of the organization take turns, so that two never take the last
 * bytes together.
 * @throws CodedError `tier_limit`
 */
export const withinScheduledData = async <T>(
  tenant: Tenant,
  tx: Transaction,
  allowance: Allowance,
  write: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  const most = allowance?.scheduled_data_bytes;
  if (most === undefined) return write();
  await lockStored(tenant, tx);
  const written = await write();
  if (written === undefined) return undefined;
  const { bytes, older } = await readTotal(tx, tenant.organizationId);
  if (bytes > most) throw tierLimit('scheduled_data_bytes', most);
  if (older > 0) await tx.query(countOlder, [tenant.organizationId]);
  return written;
};
