import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedByTests } from '@stanza/test-kit/shared';
import type pg from 'pg';
import { pino } from 'pino';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  applyMigrations,
  connectTo,
  FirstTables1700000000000,
  freshSchema,
  startTestPostgres,
} from '../testing/postgres.ts';
import { until } from '../testing/wait.ts';
import { Baseline } from './baseline.ts';
import type { Migration } from './data-source.ts';
import type { Database } from './database.ts';
import { awaitSchema } from './schema-gate.ts';

/** A migration of the version after. */
class Labels1700000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table notes add column label text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table notes drop column label');
  }
}

/** What a version after both would have in their place. */
class Baseline1700000002000 extends Baseline {
  readonly name = 'Baseline1700000002000';
  readonly replaces = 'FirstTables1700000000000 Labels1700000001000';
  readonly fingerprint = '';

  async make(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create table notes (id bigint primary key, label text)');
  }
}

const schema = 'organization';
const before: Migration[] = [FirstTables1700000000000];
const both: Migration[] = [...before, Labels1700000001000];

let database: Database;
const postgres = sharedByTests(startTestPostgres);
let owner: pg.Client;

beforeEach(async () => {
  const fresh = await freshSchema(postgres().url, schema);
  owner = fresh.owner;
  database = await connectTo(fresh.url, schema);
});
afterEach(async () => {
  await database.close();
  await owner.end();
});

const apply = (migrations: readonly Migration[]): Promise<string[]> =>
  applyMigrations(postgres().url, schema, migrations);

/** Waits for the schema and keeps the notes and log lines. */
const wait = (migrations: readonly Migration[]) => {
  const noted: string[] = [];
  const lines: unknown[] = [];
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) });
  const passed = awaitSchema({ database, schema, migrations, log }, (missing) => {
    noted.push(missing.join());
  });
  return { passed, noted, lines };
};

describe('a version and a schema', () => {
  it('of the same release match, and nothing is logged', async () => {
    const { passed, noted, lines } = wait(before);
    await passed;
    expect([noted, lines]).toEqual([[''], []]);
  });

  it('that is older: the version waits, logs once what is missing, and continues when it is applied', async () => {
    const { passed, noted, lines } = wait(both);
    await until(() => noted.length >= 2);
    expect(noted).toEqual(noted.map(() => 'Labels1700000001000'));
    expect(lines).toEqual([
      expect.objectContaining({
        level: 40,
        code: 'schema_behind',
        schema,
        missing: ['Labels1700000001000'],
      }),
    ]);
    await apply(both);
    await passed;
    expect(noted.at(-1)).toBe('');
    expect(lines).toHaveLength(1);
  });

  it('that does not exist: everything is missing', async () => {
    await owner.query(`drop table ${schema}.migrations`);
    const { passed, noted } = wait(before);
    await until(() => noted.length > 0);
    expect(noted[0]).toBe('FirstTables1700000000000');
    await owner.query(`drop schema ${schema} cascade`);
    await apply(before);
    await passed;
  });

  it('that is not granted yet: everything is missing until it is', async () => {
    await owner.query(`revoke usage on schema ${schema} from stanza_${schema}`);
    const { passed, noted } = wait(before);
    await until(() => noted.length > 0);
    expect(noted[0]).toBe('FirstTables1700000000000');
    await owner.query(`grant usage on schema ${schema} to stanza_${schema}`);
    await passed;
  });

  it('that was made by a baseline: the migrations that it replaces are none of a newer version', async () => {
    await owner.query(`drop schema ${schema} cascade`);
    await apply([Baseline1700000002000]);
    const { passed, lines } = wait([Baseline1700000002000]);
    await passed;
    expect(lines).toEqual([]);
  });

  it('that is newer: the version runs, and logs it', async () => {
    await apply(both);
    const { passed, lines } = wait(before);
    await passed;
    expect(lines).toEqual([expect.objectContaining({ level: 30, unknown: ['Labels1700000001000'] })]);
  });
});
