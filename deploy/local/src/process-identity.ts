import { spawnSync } from 'node:child_process';
import { statOf } from './process-state.ts';

/** One run of a process: its number and its start time, since numbers are reused. */
export interface ProcessIdentity {
  pid: number;
  started: string;
}

const startOnLinux = (pid: number): string | undefined => {
  const [state, ...fields] = statOf(String(pid)) ?? [];
  return state === 'Z' || state === 'X' ? undefined : fields[18];
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
