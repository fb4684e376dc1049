import type { Reports, Transaction } from '@stanza/runtime';

/** Runs reads in one snapshot of the database. */
export const atOneMoment = <T>(database: Reports, read: (tx: Transaction) => Promise<T>): Promise<T> =>
  database.transaction(read, { isolation: 'REPEATABLE READ' });
