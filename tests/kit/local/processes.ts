import { identifyProcess } from '@stanza/local/process-identity';
import { waitUntil } from '@stanza/local/wait';
import { limits } from '@stanza/test-kit/limits';

/** Waits until none of the processes runs any more; answers those that still do after ten seconds. */
export const survivors = async (pids: readonly number[]): Promise<number[]> => {
  const alive = () => pids.filter((pid) => identifyProcess(pid) !== undefined);
  await waitUntil(() => alive().length === 0, { timeoutMs: limits.conditionMs });
  return alive();
};
