import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, StackFailure } from '../failure.ts';
import { identifyProcess, stillRuns } from '../process-identity.ts';
import { waitUntil } from '../wait.ts';

/** The number in `postmaster.pid`, which a Postgres that was killed leaves behind. */
const recordedPid = (file: string): number | undefined => {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10);
    return Number.isNaN(pid) ? undefined : pid;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

/** Whether the process serves this folder; where that cannot be seen, its having the number is taken as a yes. */
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
 * Makes way for a new Postgres on this folder: waits for one that is still shutting down after its starter was
 * killed, and removes the record of one that is gone, whose number may belong to a stranger by now (Postgres itself
 * would refuse to start then).
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
