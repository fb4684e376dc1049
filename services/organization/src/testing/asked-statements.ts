import type { Database } from '@stanza/runtime';

/** A database, and what was asked of it. */
export interface AskedStatements {
  database: Database;
  /** The names of the statements in their order, with `begin` and `commit` around those of a transaction. */
  asked: string[];
}

/** Notes what Postgres is asked through a database. */
export const askedStatements = (observed: Database): AskedStatements => {
  const asked: string[] = [];
  const database: Database = {
    orm: observed.orm,
    close: () => observed.close(),
    query: (statement, values) => {
      asked.push(statement.name);
      return observed.query(statement, values);
    },
    transaction: async (work, options) => {
      const result = await observed.transaction((tx) => {
        asked.push('begin');
        return work({
          orm: tx.orm,
          afterCommit: (run) => tx.afterCommit(run),
          query: (statement, values) => {
            asked.push(statement.name);
            return tx.query(statement, values);
          },
        });
      }, options);
      asked.push('commit');
      return result;
    },
  };
  return { database, asked };
};
