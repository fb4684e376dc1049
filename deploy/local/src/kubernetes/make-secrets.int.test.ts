import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@stanza/runtime';
import { testFolders } from '@stanza/test-kit/local/folder';
import { makeSecrets, provisionFrom, readSecretsFile } from '../admin/kubernetes.ts';
import { withClient } from '../database-client.ts';
import { migrateAll } from '../migrations.ts';
import { type PreparedPostgres, startPostgres } from '../postgres/start.ts';

const newFolder = testFolders(() => postgres.process.stop());
let postgres: PreparedPostgres;
let file: string;

beforeAll(async () => {
  const folder = await newFolder();
  postgres = await startPostgres({ folder, logFile: `${folder}/postgres.log`, password: 'secret' });
  file = join(folder, 'secrets.json');
  await makeSecrets(postgres.url, 'stanza', file);
});

const valuesOf = async (key: string): Promise<Map<string, string>> => {
  const { items } = await readSecretsFile(file);
  return new Map(
    items.flatMap(({ metadata, stringData }) => {
      const value = stringData[key];
      return value === undefined ? [] : [[metadata.name, value]];
    }),
  );
};

describe('the Secrets of a cluster', () => {
  it('are readable only by their owner', async () => {
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it('are created once: a second run changes nothing', async () => {
    const before = await readSecretsFile(file);
    await expect(makeSecrets(postgres.url, 'stanza', file)).rejects.toThrow('already exists');
    expect(await readSecretsFile(file)).toEqual(before);
  });

  it('are refused, with the name of their file, if it does not exist or holds no Secrets', async () => {
    const other = join(await newFolder(), 'other.json');
    await expect(readSecretsFile(other)).rejects.toThrow(`There is no file ${other}.`);
    await writeFile(other, '{}');
    await expect(readSecretsFile(other)).rejects.toThrow('has no Secrets of Stanza');
    await expect(readSecretsFile(await newFolder())).rejects.toThrow('EISDIR');
  });

  it('sign clicks of a trial: the sandbox takes the secret of delivery', async () => {
    expect([...(await valuesOf('STANZA_CHAT_SIGNING_SECRET')).keys()]).toEqual(['delivery']);
  });

  it('give migrations the address of Postgres itself, where the services have that of a pooler', async () => {
    const other = join(await newFolder(), 'secrets.json');
    await makeSecrets('postgres://pooler:6432/stanza', 'stanza', other, 'postgres://db:5432/stanza');
    const { items } = await readSecretsFile(other);
    const hosts = items.flatMap(({ metadata: { name }, stringData: it }) => {
      const url = it.STANZA_DATABASE_URL ?? it.STANZA_MIGRATION_URL;
      return url === undefined ? [] : [[name, new URL(url).host]];
    });
    expect(Object.fromEntries(hosts)).toMatchObject({ migrate: 'db:5432', delivery: 'pooler:6432' });
  });

  it('have a different password for each user of the broker, and no database for a process without one', async () => {
    const passwords = [...(await valuesOf('STANZA_NATS_PASSWORD')).values()];
    expect([passwords.length, new Set(passwords).size]).toEqual([7, 7]);
    expect([...(await valuesOf('STANZA_DATABASE_URL')).keys()].sort()).toEqual([
      'delivery',
      'gateway',
      'organization',
      'queue-ingest',
      'template',
    ]);
  });

  it('open the provisioned database to migrations and services, however often it is provisioned', async () => {
    await provisionFrom(postgres.url, file);
    await provisionFrom(postgres.url, file);
    const migrating = (await valuesOf('STANZA_MIGRATION_URL')).get('migrate') ?? '';
    await migrateAll(migrating, silentLogger());
    for (const [service, url] of await valuesOf('STANZA_DATABASE_URL')) {
      const { rows } = await withClient(url, (client) => client.query('select name from migrations'));
      expect([service, rows.length > 0]).toEqual([service, true]);
    }
  });

  it('replace the password of a role by the current one', async () => {
    const urlOf = async (): Promise<string> => (await valuesOf('STANZA_DATABASE_URL')).get('delivery') ?? '';
    await provisionFrom(postgres.url, file);
    const before = await urlOf();
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replaceAll(new URL(before).password, 'of-today'));
    await provisionFrom(postgres.url, file);
    const now = await urlOf();
    expect(new URL(now).password).toBe('of-today');
    const ask = (url: string) => withClient(url, (client) => client.query('select 1'));
    expect((await ask(now)).rowCount).toBe(1);
    await expect(ask(before)).rejects.toMatchObject({ code: '28P01' });
  });
});
