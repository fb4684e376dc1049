import type { Database, Transaction } from './database.ts';
import { statement } from './statement.ts';

/*
 * A row that refers to a thing of another service must not be made while the thing is deleted. The owner marks the
 * thing first, so that a check refuses it from then on, and asks for its references afterwards. Whoever makes a
 * reference checks the thing between a shared lock and the commit, and the answer to the owner waits for those locks:
 * it has the reference, or the check was made after the mark.
 */

const key = `hashtextextended('reference ' || current_schema() || ' ' || $1, 0)`;
const share = statement<object>('referrers-share', `select pg_advisory_xact_lock_shared(${key})`);
const awaitAll = statement<object>('referrers-await', `select pg_advisory_xact_lock(${key})`);

/** Begins references to things of other services: from here on until the commit, they are checked once more. */
export const beginReferences = async (tx: Transaction, ids: readonly (string | null)[]): Promise<void> => {
  const all = ids.flatMap((id) => (id === null ? [] : [id.toLowerCase()])).toSorted();
  for (const id of all) await tx.query(share, [id]);
};

/** Waits for the references to a thing that have begun; a later statement sees them. */
export const awaitReferences = (database: Database, id: string): Promise<void> =>
  database.transaction(async (tx) => {
    await tx.query(awaitAll, [id.toLowerCase()]);
  });
