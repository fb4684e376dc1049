import type { Database, Transaction } from '@stanza/runtime';

/** The process died: its uncommitted changes are lost, and its callers get no answer. */
export class Crash extends Error {
  override readonly name = 'Crash';
}

/**
 * A database whose user dies in the middle of a transaction: after the given number of statements, or, with one more
 * than it has, after the commit and before the answer. Each transaction counts again.
 */
export const crashingAfter = (database: Database, statements: number): Database => {
  const query: Database['query'] = (statement, values) => database.query(statement, values);
  return {
    query,
    orm: database.orm,
    close: () => database.close(),
    transaction: async (work, options) => {
      let run = 0;
      const result = await database.transaction((tx) => {
        run = 0;
        const counting: Transaction = {
          orm: tx.orm,
          afterCommit: (then) => tx.afterCommit(then),
          query: async (statement, values) => {
            if (run === statements) throw new Crash(`after ${run} statements`);
            run += 1;
            return tx.query(statement, values);
          },
        };
        return work(counting);
      }, options);
      if (run <= statements) throw new Crash('after the commit');
      return result;
    },
  };
};
