import { metricCatalogue } from '@stanza/contracts';
import type { Metrics } from '../observability/metrics.ts';

/** Records one finished call for rate, errors and duration. */
export type Red = (operation: string, outcome: string, seconds: number) => void;

/**
 * Rate, errors and duration of operations, seen from the `server` or the `client` of a call. Outcomes are `ok`, error
 * codes and kinds of failure; durations have no outcome label, which keeps the number of series small.
 */
export const createRed = (metrics: Metrics, side: 'server' | 'client'): Red => {
  const { rpcServerCalls, rpcServerSeconds, rpcClientCalls, rpcClientSeconds } = metricCatalogue.runtime;
  const calls = metrics.counter(side === 'server' ? rpcServerCalls : rpcClientCalls);
  const durations = metrics.histogram(side === 'server' ? rpcServerSeconds : rpcClientSeconds);
  return (operation, outcome, seconds) => {
    calls.inc({ operation, outcome });
    durations.observe({ operation }, seconds);
  };
};
