import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import type pg from 'pg';

const load = createRequire(import.meta.url);

/** The version that is installed of a package. */
export const versionOf = (name: string): string => load(`${name}/package.json`).version;

/** The machine and Node, for the head of a table. */
export const machine = (): string =>
  `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown CPU'}, Node ${process.version}`;

/** The version of a stack's database, as it says itself. */
export const databaseVersion = async (database: pg.Pool): Promise<string> => {
  const { rows } = await database.query<{ server_version: string }>('show server_version');
  return `PostgreSQL ${rows[0]?.server_version}`;
};

/** Today, as tables give it. */
export const today = (): string => new Date().toISOString().slice(0, 10);
