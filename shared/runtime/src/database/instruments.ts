import { metricCatalogue } from '@stanza/contracts';
import type { Pool } from 'pg';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';

/** Queries that take longer are logged, milliseconds. */
const slowQueryMs = 250;

/** Records one finished statement by its name. */
export type StatementObserver = (name: string, milliseconds: number) => void;

/** Measures statements and logs slow ones by name, never their values. */
export const observeStatements = (metrics: Metrics, log: Logger): StatementObserver => {
  const durations = metrics.histogram(metricCatalogue.database.statementSeconds);
  return (name, milliseconds) => {
    durations.observe({ statement: name }, milliseconds / 1_000);
    if (milliseconds >= slowQueryMs) {
      log.warn({ statement: name, ms: Math.round(milliseconds) }, 'slow query');
    }
  };
};

/**
 * Reports the use of the pool.
 * @param waiting how many wait for their turn
 */
export const observePool = (metrics: Metrics, pool: Pool, size: number, waiting: () => number): void => {
  metrics.gauge(metricCatalogue.database.poolLimit).set(size);
  metrics.gauge(metricCatalogue.database.poolConnections, (gauge) => {
    gauge.set({ state: 'idle' }, pool.idleCount);
    gauge.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    gauge.set({ state: 'waiting' }, pool.waitingCount + waiting());
  });
};
