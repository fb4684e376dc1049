import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { testFolders } from '@stanza/test-kit/local/folder';
import { withClient } from './database-client.ts';
import { isMigrated, noteMigrated } from './migrated.ts';
import { type PreparedPostgres, startPostgres } from './postgres/start.ts';
import {
  closeToPublic,
  databaseAddress,
  databaseRoles,
  migratorRole,
  provision,
  urlFor,
} from './provision.ts';

const newFolder = testFolders(() => postgres.process.stop());
const passwords = Object.fromEntries(databaseRoles.map((role) => [role, randomBytes(8).toString('hex')]));
let postgres: PreparedPostgres;

beforeAll(async () => {
  const folder = await newFolder();
  postgres = await startPostgres({ folder, logFile: `${folder}/postgres.log`, password: 'secret' });
  await provision(postgres.url, passwords);
  await closeToPublic(postgres.url);
  await as(migratorRole, 'create table template.things (id bigint generated always as identity, name text)');
});

const as = (role: string, sql: string) =>
  withClient(urlFor(postgres.url, role, passwords[role] ?? ''), (client) => client.query(sql));

describe('the address of a database', () => {
  it.each(['x', 'http://h/stanza', 'postgres://u:p@h:5432', 'postgres://u:a#b@h/stanza', ''])(
    'is refused as %j, by which another host or database would be asked',
    (text) => {
      expect(() => databaseAddress(text)).toThrow('names no database of Postgres');
    },
  );

  it('A setting is read without the line break that a Secret ends with', () => {
    expect(databaseAddress('postgres://u:p@h/stanza?sslmode=no-verify\n').href).toBe(
      'postgres://u:p@h/stanza?sslmode=no-verify',
    );
  });
});

describe('the database of the services', () => {
  it('can be provisioned repeatedly and concurrently', async () => {
    await Promise.all([provision(postgres.url, passwords), provision(postgres.url, passwords)]);
  });

  it('gives a role the rows of its own schema, which is on its search path', async () => {
    await as('stanza_template', `insert into things (name) values ('one')`);
    expect((await as('stanza_template', 'select name from things')).rows).toEqual([{ name: 'one' }]);
  });

  it('gives a role no access to another schema', async () => {
    await expect(as('stanza_gateway', 'select from template.things')).rejects.toThrow(
      'permission denied for schema template',
    );
  });

  it('lets no service role change or own a table', async () => {
    await expect(as('stanza_template', 'alter table things add column x int')).rejects.toThrow(
      'must be owner',
    );
    await expect(as('stanza_template', 'create table more ()')).rejects.toThrow('permission denied');
    await expect(as('stanza_template', 'truncate things')).rejects.toThrow('permission denied');
  });

  it('refuses session locks, large objects, notifications and temporary tables to the roles of services', async () => {
    for (const sql of [
      'select pg_advisory_lock(1)',
      'select pg_try_advisory_lock_shared(1, 2)',
      'select lo_create(0)',
      "select lo_from_bytea(0, 'x')",
      "select pg_notify('x', 'y')",
      'create temp table x ()',
    ]) {
      await expect(as('stanza_template', sql)).rejects.toThrow('permission denied');
    }
  });

  it('lets service roles take locks that end with their transaction, and the migrator its own', async () => {
    await as('stanza_template', 'select pg_advisory_xact_lock(1), pg_try_advisory_xact_lock(2)');
    await as(migratorRole, "select pg_try_advisory_lock(hashtext('stanza migration template'))");
  });

  it.each([
    ['statement_timeout', '10s'],
    ['lock_timeout', '4s'],
    ['idle_in_transaction_session_timeout', '10s'],
    ['transaction_timeout', '30s'],
  ])(
    'gives every role of a service %s, also where a pooler drops the start-up options',
    async (name, limit) => {
      for (const role of databaseRoles.filter((it) => it !== migratorRole)) {
        expect((await as(role, `show ${name}`)).rows).toEqual([{ [name]: limit }]);
      }
    },
  );

  it('has trigrams for searches', async () => {
    const { rows } = await as('stanza_template', `select similarity('stanza', 'stansa') > 0.3 as near`);
    expect(rows).toEqual([{ near: true }]);
  });

  it('The database says which migrations have changed all of its schemas last', async () => {
    const url = urlFor(postgres.url, migratorRole, passwords[migratorRole] ?? '');
    expect(await isMigrated(url, 'one')).toBe(false);
    await noteMigrated(url, 'one');
    expect([await isMigrated(url, 'one'), await isMigrated(url, 'two')]).toEqual([true, false]);
    // As a schema that is restored alone has the note of its backup.
    await as(migratorRole, 'comment on schema compile is null');
    expect(await isMigrated(url, 'one')).toBe(false);
  });

  it('can be provisioned by a user who may create roles without being superuser', async () => {
    await withClient(postgres.url, async (client) => {
      await client.query(`create role builder login createrole password 'b'`);
      await client.query('create database other owner builder');
      for (const role of databaseRoles) await client.query(`grant ${role} to builder with admin option`);
    });
    const other = new URL(urlFor(postgres.url, 'builder', 'b'));
    other.pathname = '/other';
    await provision(other.href, passwords);
    const inOther = new URL(urlFor(other.href, 'stanza_template', passwords.stanza_template ?? ''));
    const { rows } = await withClient(inOther.href, (client) => client.query('show search_path'));
    expect(rows).toEqual([{ search_path: 'template, extensions' }]);
  });
});
