import type { Queryable } from './database.ts';
import { findRow } from './find-row.ts';
import { statement } from './statement.ts';

/** Where work waits for its time. */
export interface Waiting {
  /** The table, or a query in parentheses with a name. */
  from: string;
  /** The column with the moment at which a row is due; an index must lead to the first one. */
  moment: string;
  /** Which rows wait; all of them where it is absent. */
  where?: string;
  /** Milliseconds after its moment at which a row is due; 0 unless given. */
  afterMs?: number;
}

/** Finds the time until the next row is due, in the form that `BackgroundJobs.whenDue` takes it. */
export type FindNext = (db: Pick<Queryable, 'query'>) => Promise<number | undefined>;

/**
 * Declares a look at the first due moment of waiting rows, of any tenant.
 * @param name of the statement
 */
export const nextDue = (name: string, { from, moment, where = 'true', afterMs = 0 }: Waiting): FindNext => {
  const next = statement<{ due_in_ms: number | null }>(
    name,
    `select extract(epoch from min(${moment}) - clock_timestamp())::float8 * 1000 as due_in_ms
     from ${from}
     where ${where}`,
  );
  return async (db) => {
    const dueInMs = (await findRow(db, next))?.due_in_ms ?? undefined;
    return dueInMs === undefined ? undefined : dueInMs + afterMs;
  };
};
