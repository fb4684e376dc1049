import type { Queryable } from './database.ts';
import { statement } from './statement.ts';

/** Rows of one deletion: few enough to hold locks briefly and to stay below the statement timeout. */
export const deletedAtOnce = 5_000;

/**
 * Repeats a deletion of at most this many rows until it finds fewer.
 * @returns how many rows were deleted
 */
export const inBatches = async (
  remove: () => Promise<readonly unknown[]>,
  atOnce: number = deletedAtOnce,
): Promise<number> => {
  let deleted = 0;
  for (;;) {
    const { length } = await remove();
    deleted += length;
    if (length < atOnce) return deleted;
  }
};

/**
 * SQL: the lowest id of the moment this many days ago, by the clock of the database. Ids have the time of the process
 * that made them, so an id alone decides nothing: it bounds what is read.
 * @param days an expression
 */
export const firstIdDaysAgo = (days: string): string =>
  firstIdAt(`clock_timestamp() - ${days} * interval '1 day'`);

/**
 * SQL: the lowest id of a moment.
 * @param moment an expression
 */
export const firstIdAt = (moment: string): string =>
  `(select rpad(lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0'), 32, '0')::uuid)`;

/** What a deletion of old rows is made of; each text is SQL. */
export interface Deletion {
  /** A table that is not partitioned: its rows are found by their place in it. */
  from: string;
  /** Which rows of `doomed`, as the table is called here; values are numbered from `$1`. */
  where: string;
  /** Which of them are the first to go; any, where it is left out. */
  orderBy?: string;
  /** Rows of one statement; fewer than {@link deletedAtOnce} where each of them takes others with it. */
  atOnce?: number;
}

/**
 * Declares a deletion of rows that are no longer needed. It runs in batches and passes over rows that a transaction
 * holds: the next run takes those.
 * @param name of its statement
 * @returns runs the deletion with its values, and answers how many rows were deleted
 */
export const deletion = (name: string, { from, where, orderBy, atOnce = deletedAtOnce }: Deletion) => {
  const text = statement<object>(
    name,
    `delete from ${from}
     where ctid = any (array(
       select doomed.ctid
       from ${from} as doomed
       where ${where}
       ${orderBy === undefined ? '' : `order by ${orderBy}`}
       limit ${atOnce}
       for update skip locked
     ))
     returning 1`,
  );
  return (db: Queryable, values: readonly unknown[] = []): Promise<number> =>
    inBatches(() => db.query(text, values), atOnce);
};
