import type { Metrics } from '../metrics.ts';

/** Records one finished call: rate, errors and duration come from it. */
export type Red = (operation: string, outcome: string, seconds: number) => void;

/**
 * Rate, errors and duration of operations, seen from the `server` or the `client` of a call. Outcomes are `ok`, error
 * codes and kinds of failure; durations have no outcome, which keeps the number of series small.
 */
export const createRed = (metrics: Metrics, side: 'server' | 'client'): Red => {
  const calls = metrics.counter({
    name: `stanza_rpc_${side}_calls_total`,
    help: `Operations finished, as their ${side} saw them`,
    labels: ['operation', 'outcome'],
  });
  const durations = metrics.histogram({
    name: `stanza_rpc_${side}_seconds`,
    help: `Time operations took, as their ${side} saw it`,
    labels: ['operation'],
  });
  return (operation, outcome, seconds) => {
    calls.inc({ operation, outcome });
    durations.observe({ operation }, seconds);
  };
};
