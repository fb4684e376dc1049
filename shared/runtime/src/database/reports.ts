import type { Metrics } from '../observability/metrics.ts';
import { Turns } from '../shares/turns.ts';
import type { Database } from './database.ts';
import { currentHolder } from './reach.ts';
import { statement } from './statement.ts';

/** What searches and reports are read from. */
export type Reports = Pick<Database, 'query' | 'transaction'>;

/** How much a report may take. */
export interface ReportOptions {
  /** Milliseconds for each of its statements. */
  statementMs: number;
}

/** Connections that reports have of their own. */
export const reportConnections = 2;
/** Reports of one organization that wait, and milliseconds for which each does. */
const waiting = 8;
const waitMs = 3_000;

const limitStatement = statement<object>('report-limit', "select set_config('statement_timeout', $1, true)");

/**
 * Reads of which one may cost as much as a hundred others: they have connections of their own, organizations take turns,
 * and each statement has a limit of time. The limit is set in the transaction, since a pooler keeps nothing of a session.
 * @param database with a pool of {@link reportConnections}
 */
export const createReports = (
  database: Database,
  metrics: Metrics,
  { statementMs }: ReportOptions,
): Reports => {
  const turns = new Turns({
    kind: 'reports',
    places: reportConnections,
    waiting,
    waitMs,
    metrics,
    subject: 'Too many searches and reports',
  });
  const transaction: Reports['transaction'] = (work, options) =>
    turns.run(currentHolder(), () =>
      database.transaction(async (tx) => {
        await tx.query(limitStatement, [String(statementMs)]);
        return await work(tx);
      }, options),
    );
  return { transaction, query: (asked, values) => transaction((tx) => tx.query(asked, values)) };
};
