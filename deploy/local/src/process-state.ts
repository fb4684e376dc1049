import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { codeOf } from './failure.ts';

/** A file or folder below `/proc`; undefined when its process or thread has ended. */
const whileItRuns = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ESRCH') return undefined;
    throw error;
  }
};

/**
 * The fields of a `stat` of `/proc` behind the command name, the state first; undefined when the process or thread has
 * ended.
 * @param of below `/proc`: the number of a process, or `<process>/task/<thread>`
 */
export const statOf = (of: string): string[] | undefined => {
  const stat = whileItRuns(() => readFileSync(`/proc/${of}/stat`, 'latin1'));
  // The command name stands in parentheses and may itself contain spaces and parentheses.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
};

/** True of a thread or process that runs nothing until it is let go on, or never again. */
const still = (state: string | undefined): boolean => state === undefined || /^[TtZX]/.test(state);

const stillOnLinux = (pid: number): boolean => {
  const threads = whileItRuns(() => readdirSync(`/proc/${pid}/task`)) ?? [];
  return threads.every((thread) => still(statOf(`${pid}/task/${thread}`)?.[0]));
};

const stillElsewhere = (pid: number): boolean => {
  const { stdout } = spawnSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' });
  return still(stdout.trim() || undefined);
};

/** True once a process that was told to stop has no thread left that runs; also when it has ended. */
export const standsStill = (pid: number): boolean =>
  process.platform === 'linux' ? stillOnLinux(pid) : stillElsewhere(pid);
