import type { Database, Transaction } from '@stanza/runtime';

/** Runs reads that must all see the database as it was at one moment. */
export const atOneMoment = <T>(database: Database, read: (tx: Transaction) => Promise<T>): Promise<T> =>
  database.transaction(read, { isolation: 'REPEATABLE READ' });
