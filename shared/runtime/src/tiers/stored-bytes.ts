import type { StoredKind } from '@stanza/contracts';
import type { Queryable, Transaction } from '../database/database.ts';
import { findRow } from '../database/find-row.ts';
import { statement } from '../database/statement.ts';
import type { Tenant } from '../database/tenant.ts';
import type { Allowance } from './follow.ts';
import { lockStored, tierLimit } from './stored-limits.ts';

/** Columns of a table whose bytes count; a trigger writes their number next to them. */
export interface CountedContents {
  table: string;
  /** With the organization and the environment the key of a row. */
  id: string;
  columns: readonly [string, ...string[]];
  /** The column of their number, null in rows that are older than it; `bytes` unless given. */
  bytes?: string;
  /** Which rows count; all of them where it is absent. */
  where?: string;
}

/**
 * Counts the bytes of what an organization stores, over both environments, and refuses what its tier does not allow.
 */
export interface StoredBytes {
  /**
   * Runs a transaction that writes contents, and refuses it when it leaves more bytes than the tier allows and more
   * than there were. So whoever has too much, after a change of the tier, can still replace and delete, and a repeat
   * that writes nothing is not refused. Requests of the organization take turns, so that two never take the last bytes
   * together.
   * @throws CodedError `tier_limit`
   */
  within<T>(tenant: Tenant, tx: Transaction, allowance: Allowance, write: () => Promise<T>): Promise<T>;
  /** The number of bytes. */
  count(db: Queryable, organizationId: string): Promise<number>;
}

/** Rows of a table that one write counts for those that are older than the count. */
const olderAtOnce = 200;

/** What is older than the count is measured, so that the sum is right from the first moment on. */
const sumOf = ({ table, columns, bytes = 'bytes', where = 'true' }: CountedContents): string => {
  const measured = columns.map((column) => `coalesce(octet_length(${column}::text), 0)`).join(' + ');
  return `select sum(${bytes}) as bytes, 0 as older
          from ${table}
          where organization_id = $1 and ${bytes} is not null and ${where}
          union all
          select sum(${measured}), count(*)
          from ${table}
          where organization_id = $1 and ${bytes} is null and ${where}`;
};

/**
 * A column that is written as it is lets the trigger count. Rows that someone else has locked wait for the next write.
 */
const countOlderOf = ({ table, id, columns: [column], bytes = 'bytes', where = 'true' }: CountedContents) =>
  statement<Record<string, never>>(
    `count-older-${table.replaceAll('_', '-')}`,
    `update ${table} as stored
     set ${column} = stored.${column}
     from (
       select organization_id, environment, ${id}
       from ${table}
       where organization_id = $1 and ${bytes} is null and ${where}
       limit ${olderAtOnce}
       for update skip locked) as older
     where stored.organization_id = older.organization_id
       and stored.environment = older.environment
       and stored.${id} = older.${id}`,
  );

/** Declares how the bytes of contents are counted. */
export const storedBytes = (kind: StoredKind, contents: readonly CountedContents[]): StoredBytes => {
  const total = statement<{ bytes: number; older: number }>(
    `stored-${kind.replaceAll('_', '-')}`,
    `select coalesce(sum(bytes), 0)::bigint as bytes, sum(older)::bigint as older
     from (${contents.map(sumOf).join(' union all ')}) as stored`,
  );
  const countOlder = contents.map(countOlderOf);
  const read = async (db: Queryable, organizationId: string) =>
    (await findRow(db, total, [organizationId])) ?? { bytes: 0, older: 0 };
  return {
    within: async (tenant, tx, allowance, write) => {
      const most = allowance?.[kind];
      if (most === undefined) return write();
      await lockStored(tenant, tx);
      const before = await read(tx, tenant.organizationId);
      const written = await write();
      if (before.older > 0) for (const one of countOlder) await tx.query(one, [tenant.organizationId]);
      const after = await read(tx, tenant.organizationId);
      if (after.bytes > most && after.bytes > before.bytes) throw tierLimit(kind, most);
      return written;
    },
    count: async (db, organizationId) => (await read(db, organizationId)).bytes,
  };
};
