import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { codeOf } from './failure.ts';

/** The process that listens on a port of this machine, where visible: its number and command line. */
export const portOwner = (port: number): string | undefined =>
  process.platform === 'linux' ? ownerOnLinux(port) : ownerElsewhere(port);

const listening = '0A';

const ownerOnLinux = (port: number): string | undefined => {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of unlessHidden(() => readFileSync(table, 'latin1'), '')
      .split('\n')
      .slice(1)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
      if (state === listening && local.endsWith(`:${wanted}`) && inode !== undefined)
        inodes.add(`socket:[${inode}]`);
    }
  }
  const pid = inodes.size === 0 ? undefined : readdirSync('/proc').find((entry) => holdsOne(entry, inodes));
  if (pid === undefined) return undefined;
  const command = unlessHidden(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'), '')
    .split('\0')
    .join(' ')
    .trim();
  return `process ${pid} (${command.length > 80 ? `${command.slice(0, 79)}…` : command})`;
};

const holdsOne = (pid: string, inodes: ReadonlySet<string>): boolean => {
  if (!/^\d+$/.test(pid)) return false;
  const folder = `/proc/${pid}/fd`;
  return unlessHidden(() => readdirSync(folder), []).some((fd) =>
    inodes.has(unlessHidden(() => readlinkSync(`${folder}/${fd}`), '')),
  );
};

/** Processes may end in the meantime, and those of other users are hidden. */
const unlessHidden = <T>(read: () => T, otherwise: T): T => {
  try {
    return read();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '')) return otherwise;
    throw error;
  }
};

const ownerElsewhere = (port: number): string | undefined => {
  const { stdout, status } = spawnSync('lsof', ['-nP', '-Fpc', `-iTCP:${port}`, '-sTCP:LISTEN'], {
    encoding: 'utf8',
  });
  if (status !== 0) return undefined;
  const pid = /^p(\d+)$/m.exec(stdout)?.[1];
  const command = /^c(.+)$/m.exec(stdout)?.[1];
  return pid === undefined ? undefined : `process ${pid} (${command ?? 'unknown'})`;
};
