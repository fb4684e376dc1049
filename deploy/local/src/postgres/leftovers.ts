import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, StackFailure } from '../failure.ts';
import { identifyProcess, stillRuns } from '../process-identity.ts';
import { waitUntil } from '../wait.ts';

/** The number in `postmaster.pid`, which a killed Postgres leaves behind. */
const recordedPid = (file: string): number | undefined => {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isNaN(pid) ? undefined : pid;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** True when the process serves this folder, and when that is not visible. */
const serves = (pid: number, data: string): boolean => {
  if (process.platform !== 'linux') return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return false;
    throw error;
  }
};

/**
 * Clears the folder for a new Postgres: waits for one that is still shutting down, and removes the record of one that
 * has ended. Its number may have been reused, in which case Postgres would refuse to start.
 */
export const clearLeftovers = async (data: string): Promise<void> => {
  const file = join(data, 'postmaster.pid');
  const pid = recordedPid(file);
  if (pid === undefined) return;
  const identity = identifyProcess(pid);
  if (identity !== undefined && serves(pid, data)) {
    process.kill(pid, 'SIGINT');
    if (!(await waitUntil(() => !stillRuns(identity), { timeoutMs: 20_000 }))) {
      throw new StackFailure(
        `Another Postgres (process ${pid}) still serves ${data}.`,
        `End it ("kill -INT ${pid}") and start again.`,
      );
    }
  }
  await rm(file, { force: true });
};
