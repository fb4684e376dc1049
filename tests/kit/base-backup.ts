import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/** `tar` answers 1 when a file changed while it was read, which the log of the database makes good. */
const tar = async (...args: string[]): Promise<void> => {
  try {
    await run('tar', ['--warning=no-file-changed', '--warning=no-file-removed', ...args]);
  } catch (error) {
    if (Object(error).code !== 1) throw error;
  }
};

/**
 * Takes a base backup of a database that goes on working, as `pg_basebackup` does: the files, then the log that was
 * written in the meantime.
 * @returns where the data was
 */
export const backUp = async (databaseUrl: string, folder: string): Promise<string> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    const data = rows[0]?.data_directory ?? '';
    await client.query("select pg_backup_start('a test', true)");
    const left = ['./postmaster.pid', './postmaster.opts', './pg_wal/*'].map((it) => `--exclude=${it}`);
    await tar('-cf', join(folder, 'base.tar'), ...left, '-C', data, '.');
    const stopped = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(folder, 'backup_label'), stopped.rows[0]?.labelfile ?? '');
    await tar('-cf', join(folder, 'log.tar'), '-C', data, './pg_wal');
    return data;
  } finally {
    await client.end();
  }
};

/** Puts back what `backUp` took. */
export const putBack = async (folder: string, data: string): Promise<void> => {
  await mkdir(data, { recursive: true, mode: 0o700 });
  await tar('-xpf', join(folder, 'base.tar'), '-C', data);
  await tar('-xpf', join(folder, 'log.tar'), '-C', data);
  await copyFile(join(folder, 'backup_label'), join(data, 'backup_label'));
};
