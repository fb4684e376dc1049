import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedByTests } from '@stanza/test-kit/shared';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  applyMigrations,
  FirstTables1700000000000,
  freshSchema,
  startTestPostgres,
} from '../testing/postgres.ts';
import type { Migration } from './data-source.ts';

/** A migration that fails half-way. */
class Broken1700000002000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create table half_done (id bigint)');
    await queryRunner.query('update notes set text = $1', ['half done']);
    await queryRunner.query('alter table no_such_table add column label text');
  }

  async down(): Promise<void> {
    throw new Error('it never came up');
  }
}

/** The migration after it. */
class After1700000003000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create table afterwards (id bigint)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table afterwards');
  }
}

/** An index on a table that may be large and in use. */
class NotesIndex1700000001000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists notes_at');
    await queryRunner.query('create index concurrently notes_at on notes (at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently notes_at');
  }
}

const schema = 'organization';
const before: Migration[] = [FirstTables1700000000000];
const failing: Migration[] = [...before, Broken1700000002000, After1700000003000];

const postgres = sharedByTests(startTestPostgres);
let owner: pg.Client;

beforeEach(async () => {
  ({ owner } = await freshSchema(postgres().url, schema));
  await owner.query(`insert into ${schema}.notes (id, text) values (1, 'as it was')`);
});
afterEach(() => owner.end());

const apply = (migrations: readonly Migration[]): Promise<string[]> =>
  applyMigrations(postgres().url, schema, migrations);

describe('a migration that fails half-way', () => {
  const made = async (): Promise<string[]> => {
    const { rows } = await owner.query<{ name: string }>(
      `select name from ${schema}.migrations
       union all select tablename from pg_tables where tablename in ('half_done', 'afterwards')
       order by name`,
    );
    return rows.map(({ name }) => name);
  };

  it('is rolled back, keeps the migrations before it, and stops those after it', async () => {
    await expect(apply(failing)).rejects.toThrow(/no_such_table/);
    expect(await made()).toEqual(['FirstTables1700000000000']);
    expect((await owner.query(`select text from ${schema}.notes`)).rows).toEqual([{ text: 'as it was' }]);
  });

  it('fails the same way again without blocking; once corrected, the rest is applied', async () => {
    await expect(apply(failing)).rejects.toThrow(/no_such_table/);
    await expect(apply(failing)).rejects.toThrow(/no_such_table/);
    expect(await apply([...before, After1700000003000])).toEqual(['After1700000003000']);
  });

  it('fails in each of two concurrent runs, and is applied by neither', async () => {
    const outcomes = await Promise.allSettled([apply(failing), apply(failing)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await made()).toEqual(['FirstTables1700000000000']);
  });
});

describe('a migration outside of a transaction', () => {
  const indexing = [...before, NotesIndex1700000001000];

  it('builds an index while a transaction holds the table, and is applied once by two concurrent runs', async () => {
    const writer = new pg.Client({ connectionString: postgres().url });
    await writer.connect();
    await writer.query('begin');
    await writer.query(`update ${schema}.notes set text = 'meanwhile'`);
    const applying = Promise.all([apply(indexing), apply(indexing)]);
    await writer.query(`insert into ${schema}.notes (id, text) values (2, 'written beside it')`);
    await writer.query('commit');
    await writer.end();
    expect((await applying).flat()).toEqual(['NotesIndex1700000001000']);
  });

  it('starts again after an attempt that left an invalid index behind', async () => {
    await owner.query(`create index notes_at on ${schema}.notes (at)`);
    await owner.query(
      `update pg_index set indisvalid = false where indexrelid = '${schema}.notes_at'::regclass`,
    );
    expect(await apply(indexing)).toEqual(['NotesIndex1700000001000']);
    const { rows } = await owner.query(
      `select indisvalid from pg_index where indexrelid = '${schema}.notes_at'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });
});
