import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** What a process and all that it started have used since they began. */
export interface Usage {
  /** Milliseconds of CPU, in user code and in the kernel. */
  cpuMs: number;
  /** Bytes that were read and written by plain calls, sockets among them. */
  bytes: number;
  /** Bytes of memory. */
  rss: number;
  /** Open file descriptors. */
  files: number;
}

/** Process numbers by name. */
export type Pids = Readonly<Record<string, number>>;

/** Milliseconds of the unit in which Linux counts CPU time; it is the same on every machine that Node runs on. */
const tickMs = 10;
const pageBytes = 4_096;

interface Stat {
  parent: number;
  cpuMs: number;
  rss: number;
}

/** What is not readable has ended since it was listed. */
const readOrGone = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && /^(ENOENT|ESRCH|EACCES)$/.test(String(error.code)))
      return undefined;
    throw error;
  }
};

/** The fields after the name, which is in parentheses and may hold anything. */
const statOf = (pid: number): Stat | undefined => {
  const text = readOrGone(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (text === undefined) return undefined;
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const at = (index: number): number => fields[index] ?? 0;
  // Fields 14 to 17 of the manual: of its own, and of those of its children that have ended.
  const ticks = at(11) + at(12) + at(13) + at(14);
  return { parent: at(1), cpuMs: ticks * tickMs, rss: at(21) * pageBytes };
};

const bytesOf = (pid: number): number => {
  const text = readOrGone(() => readFileSync(`/proc/${pid}/io`, 'utf8')) ?? '';
  return [...text.matchAll(/^[rw]char: (\d+)$/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
};

const filesOf = (pid: number): number => readOrGone(() => readdirSync(`/proc/${pid}/fd`).length) ?? 0;

/** The processes of this machine by their parents. */
const children = (): Map<number, number[]> => {
  const byParent = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const parent = Number.isInteger(pid) ? statOf(pid)?.parent : undefined;
    if (parent === undefined) continue;
    const others = byParent.get(parent) ?? [];
    others.push(pid);
    byParent.set(parent, others);
  }
  return byParent;
};

const treeOf = (pid: number, byParent: Map<number, number[]>): number[] => [
  pid,
  ...(byParent.get(pid) ?? []).flatMap((child) => treeOf(child, byParent)),
];

/** Whether this system says what processes use; only Linux does it this way. */
export const canMeasureProcesses = (): boolean => existsSync('/proc/self/stat');

/** What processes have used so far, by name; nothing where the system does not say. */
export const usageOf = (pids: Pids): Map<string, Usage> => {
  const found = new Map<string, Usage>();
  if (!canMeasureProcesses()) return found;
  const byParent = children();
  for (const [name, pid] of Object.entries(pids)) {
    const usage: Usage = { cpuMs: 0, bytes: 0, rss: 0, files: 0 };
    for (const each of treeOf(pid, byParent)) {
      const stat = statOf(each);
      usage.cpuMs += stat?.cpuMs ?? 0;
      usage.rss += stat?.rss ?? 0;
      usage.bytes += bytesOf(each);
      usage.files += filesOf(each);
    }
    found.set(name, usage);
  }
  return found;
};

/** Milliseconds of CPU by name between two looks. */
export const cpuBetween = (before: Map<string, Usage>, after: Map<string, Usage>): Record<string, number> =>
  Object.fromEntries(
    [...after].map(([name, { cpuMs }]) => [name, cpuMs - (before.get(name)?.cpuMs ?? cpuMs)]),
  );
