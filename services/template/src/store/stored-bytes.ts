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
import { type Contents, contents } from '../domain/content-bytes.ts';

/** Rows of a table that one write counts for those that are older than the count. */
const olderAtOnce = 200;

/** What is older than the count is measured, so that the sum is right from the first moment on. */
const sumOf = ({ table, columns }: Contents): string => {
  const measured = columns.map((column) => `coalesce(octet_length(${column}::text), 0)`).join(' + ');
  return `select sum(bytes) as bytes, 0 as older
          from ${table}
          where organization_id = $1 and bytes is not null
          union all
          select sum(${measured}), count(*)
          from ${table}
          where organization_id = $1 and bytes is null`;
};

const total = statement<{ bytes: number; older: number }>(
  'stored-bytes',
  `select coalesce(sum(bytes), 0)::bigint as bytes, sum(older)::bigint as older
   from (${contents.map(sumOf).join(' union all ')}) as stored`,
);

/** A column that is written as it is lets the trigger count. Rows that somebody else has locked wait for the next write. */
const countOlder = contents.map(({ table, id, columns: [column] }) =>
  statement<Record<string, never>>(
    `count-older-${table.replaceAll('_', '-')}`,
    `update ${table} as stored
     set ${column} = stored.${column}
     from (
       select organization_id, environment, ${id}
       from ${table}
       where organization_id = $1 and bytes is null
       limit ${olderAtOnce}
       for update skip locked) as older
     where stored.organization_id = older.organization_id
       and stored.environment = older.environment
       and stored.${id} = older.${id}`,
  ),
);

const readTotal = async (db: Queryable, organizationId: string) =>
  (await findRow(db, total, [organizationId])) ?? { bytes: 0, older: 0 };

/** The bytes of all contents that an organization stores here, in both environments. */
export const countStoredBytes = async (db: Queryable, organizationId: string): Promise<number> =>
  (await readTotal(db, organizationId)).bytes;

/**
 * Runs a transaction that writes contents, and refuses it when it leaves more bytes than the tier allows and more than there
 * were. So whoever has too much, after a change of the tier, can still replace and delete. Requests of the organization take
 * turns, so that two never take the last bytes together.
 * @throws CodedError `tier_limit`
 */
export const withinStoredBytes = async <T>(
  tenant: Tenant,
  tx: Transaction,
  allowance: Allowance,
  write: () => Promise<T>,
): Promise<T> => {
  const most = allowance?.bytes;
  if (most === undefined) return write();
  await lockStored(tenant, tx);
  const before = await readTotal(tx, tenant.organizationId);
  const written = await write();
  if (before.older > 0) for (const one of countOlder) await tx.query(one, [tenant.organizationId]);
  const after = await readTotal(tx, tenant.organizationId);
  if (after.bytes > most && after.bytes > before.bytes) throw tierLimit('bytes', most);
  return written;
};
