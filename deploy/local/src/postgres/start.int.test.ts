import { existsSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { withClient } from '../database-client.ts';
import { freePorts } from '../ports.ts';
import { dataFolders, type PostgresRunner } from './account.ts';
import { type PreparedPostgres, startPostgres } from './start.ts';

const newFolder = testFolders(async () => {
  for (const it of running) await it.process.stop();
  for (const place of folders.flatMap(dataFolders)) await rm(place, { recursive: true, force: true });
});
const folders: string[] = [];
const running: PreparedPostgres[] = [];

const startIn = async (folder: string, more: { runner?: PostgresRunner; password?: string } = {}) => {
  folders.push(folder);
  const started = await startPostgres({
    folder,
    logFile: join(folder, 'postgres.log'),
    password: 'secret',
    ...more,
  });
  running.push(started);
  return started;
};

const read = (url: string, sql: string) =>
  withClient(
    url,
    async (client) => (await client.query<{ value: string }>(`select (${sql}) as value`)).rows[0]?.value,
  );

// Root has two ways to run Postgres, which refuses root; other users have one.
const runners: readonly PostgresRunner[] = process.getuid?.() === 0 ? ['namespace', 'nobody'] : ['starter'];

describe.each(runners)('Postgres run by %s', (runner) => {
  it('keeps its data between runs, in a folder that other users cannot enter', async () => {
    const folder = await newFolder();
    await chmod(folder, 0o700);
    const first = await startIn(folder, { runner });
    await withClient(first.url, (client) => client.query(`create table kept as select 'here' as value`));
    await first.process.stop();
    const second = await startIn(folder, { runner });
    expect(await read(second.url, 'select value from kept')).toBe('here');
    await second.process.stop();
  });
});

describe('Postgres', () => {
  it('is version 18, in UTF-8 without a locale, durable, with room for every pool', async () => {
    const { url } = await startIn(await newFolder());
    const setting = (name: string) => read(url, `current_setting('${name}')`);
    expect(await setting('server_version')).toMatch(/^18\./);
    expect(await setting('server_encoding')).toBe('UTF8');
    expect(await read(url, 'select datcollate from pg_database where datname = current_database()')).toBe(
      'C',
    );
    expect(await Promise.all(['fsync', 'synchronous_commit', 'full_page_writes'].map(setting))).toEqual([
      'on',
      'on',
      'on',
    ]);
    expect(await setting('max_connections')).toBe('200');
  });

  it('takes another port where a Postgres of somebody else has taken its own meanwhile', async () => {
    const others = await startIn(await newFolder());
    const folder = await newFolder();
    folders.push(folder);
    const ports = [Number(new URL(others.url).port), ...(await freePorts(1))];
    const options = { folder, logFile: join(folder, 'postgres.log'), password: 'secret' };
    const own = await startPostgres(options, async () => ports.shift() ?? 0);
    running.push(own);
    expect(ports).toEqual([]);
    expect(await read(own.url, "current_setting('data_directory')")).toBe(join(folder, 'postgres'));
  });

  it('replaces a half-created cluster', async () => {
    const folder = await newFolder();
    await mkdir(join(folder, 'postgres.new'));
    await writeFile(join(folder, 'postgres.new/PG_VERSION'), '18');
    const { url } = await startIn(folder);
    expect(await read(url, '1')).toBe(1);
    expect(existsSync(join(folder, 'postgres.new'))).toBe(false);
  });

  it('starts on a copy of its data that others may read', async () => {
    const folder = await newFolder();
    await (await startIn(folder)).process.stop();
    await chmod(join(folder, 'postgres'), 0o755);
    const { url } = await startIn(folder);
    expect(await read(url, '1')).toBe(1);
  });

  it('starts although a killed run left its record, whose number is reused', async () => {
    const folder = await newFolder();
    await (await startIn(folder)).process.stop();
    await writeFile(join(folder, 'postgres/postmaster.pid'), `${process.pid}\n`);
    const { url } = await startIn(folder);
    expect(await read(url, '1')).toBe(1);
  });

  it('says what to do when its data belongs to another version or another password', async () => {
    const folder = await newFolder();
    await (await startIn(folder)).process.stop();
    await expect(startIn(folder, { password: 'forgotten' })).rejects.toThrow(
      'stored superuser password is not',
    );
    await writeFile(join(folder, 'postgres/PG_VERSION'), '15\n');
    await expect(startIn(folder)).rejects.toThrow('was written by PostgreSQL 15; this is 18');
  });
});
