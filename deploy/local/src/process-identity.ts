import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { codeOf } from './failure.ts';

/** One run of a process: its number and its start time, since numbers are reused. */
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

/** Identifies a running process; undefined when none has that number (zombies count as ended). */
export const identifyProcess = (pid: number): ProcessIdentity | undefined => {
  const started = process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid);
  return started === undefined ? undefined : { pid, started };
};

/** True while this run of the process lasts. */
export const stillRuns = (identity: ProcessIdentity): boolean =>
  identifyProcess(identity.pid)?.started === identity.started;
