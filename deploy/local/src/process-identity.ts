import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { codeOf } from './failure.ts';

/** One run of a process: its number together with its start time, since numbers are used again. */
export interface ProcessIdentity {
  pid: number;
  started: string;
}

const startOnLinux = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name stands in parentheses and may itself contain spaces and parentheses.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? undefined : fields[18];
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return undefined;
    throw error;
  }
};

const startElsewhere = (pid: number): string | undefined => {
  if (process.platform !== 'win32') {
    return (
      spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() || undefined
    );
  }
  try {
    process.kill(pid, 0);
    return 'unknown';
  } catch {
    return undefined;
  }
};

/** Names a running process, or answers undefined when there is none of that number (zombies count as none). */
export const identifyProcess = (pid: number): ProcessIdentity | undefined => {
  const started = process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid);
  return started === undefined ? undefined : { pid, started };
};

/** Whether that very process still runs. */
export const stillRuns = (identity: ProcessIdentity): boolean =>
  identifyProcess(identity.pid)?.started === identity.started;
