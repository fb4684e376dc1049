import type { Stack } from '@stanza/local';

const slow = /^stanza_rpc_(?:late_replies_total\{?.*|server_calls_total\{.*outcome="expired".*\}) (\d+)$/gm;

/**
 * Calls that a process knows to have been slow since it started: those that were answered after their caller had given up, as
 * their client counts them, and those that were begun too late, as their server does. A lost call is neither.
 */
export const slowCalls = async (stack: Stack, process: string): Promise<number> => {
  const metrics = await (await fetch(stack.info.metrics[process] ?? '')).text();
  return [...metrics.matchAll(slow)].reduce((sum, [, count]) => sum + Number(count), 0);
};
