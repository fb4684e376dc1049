import type { Stack } from '@stanza/local';

/** Calls of processes, counted since they started. */
export interface CallCounts {
  /** Given up by their caller at their deadline. */
  timedOut: number;
  /** Known to have been slow: answered after that, as the caller counts, or begun after it, as the callee does. */
  slow: number;
}

const sumOf = (metrics: string, series: RegExp): number =>
  [...metrics.matchAll(series)].reduce((sum, [, count]) => sum + Number(count), 0);

/** The counts of a process. One of a version that counts no late answers cannot tell which of its calls were slow. */
export const callCounts = async (stack: Stack, process: string): Promise<CallCounts> => {
  const metrics = await (await fetch(stack.info.metrics[process] ?? '')).text();
  const late = /^stanza_rpc_late_replies_total(?:\{.*\})? (\d+)$/gm;
  const expired = /^stanza_rpc_server_calls_total\{.*outcome="expired".*\} (\d+)$/gm;
  const timedOut = /^stanza_rpc_client_calls_total\{.*outcome="timeout".*\} (\d+)$/gm;
  return {
    timedOut: metrics.search(late) === -1 ? 0 : sumOf(metrics, timedOut),
    slow: sumOf(metrics, late) + sumOf(metrics, expired),
  };
};

/** The counts of several processes together. */
export const inAll = (counts: readonly CallCounts[]): CallCounts => ({
  timedOut: counts.reduce((sum, it) => sum + it.timedOut, 0),
  slow: counts.reduce((sum, it) => sum + it.slow, 0),
});
