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
import type { MigrationLimits } from './migrate.ts';

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

/** Keeps the settings of its session, inside of a transaction. */
class InTransaction1700000004000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`create table settings as ${shown('inside')}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table settings');
  }
}

/** Adds those outside of one. */
class Outside1700000005000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`insert into settings ${shown('outside')}`);
  }

  async down(): Promise<void> {}
}

const shown = (place: string): string =>
  `select '${place}' as place, current_setting('transaction_timeout') as transaction,
     current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle`;

/** Takes a second. */
class Slow1700000006000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('create table slow (id bigint)');
    await queryRunner.query('select pg_sleep(1)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table slow');
  }
}

/** Takes a second outside of a transaction. */
class SlowOutside1700000007000 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('select pg_sleep(1)');
  }

  async down(): Promise<void> {}
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

const apply = (migrations: readonly Migration[], limits: Partial<MigrationLimits> = {}): Promise<string[]> =>
  applyMigrations(postgres().url, schema, migrations, limits);

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

describe('the limits of time of a migration', () => {
  const timed = [...before, InTransaction1700000004000, Outside1700000005000];

  it('are those of locks, of silence within a transaction, and of each transaction', async () => {
    await apply(timed);
    const { rows } = await owner.query(`select * from ${schema}.settings order by place`);
    expect(rows).toEqual([
      { place: 'inside', transaction: '10min', lock: '10s', idle: '1min' },
      { place: 'outside', transaction: '0', lock: '10s', idle: '1min' },
    ]);
  });

  it('end a transaction that takes too long, and leave nothing of it', async () => {
    await expect(apply([...before, Slow1700000006000], { transactionMs: 200 })).rejects.toMatchObject({
      code: '25P04',
    });
    const { rows } = await owner.query(`select to_regclass('${schema}.slow') as slow`);
    expect(rows).toEqual([{ slow: null }]);
  });

  it('do not end a statement outside of a transaction before the database counts as lost', async () => {
    const slow = [...before, SlowOutside1700000007000];
    await expect(apply(slow, { silenceMs: 300 })).rejects.toThrow(/no data for 300 ms/);
    expect(await apply(slow, { transactionMs: 200 })).toEqual(['SlowOutside1700000007000']);
  });

  it('end the wait for another process that migrates the schema, with what to do', async () => {
    await owner.query(`select pg_advisory_lock(hashtext('stanza migration ${schema}'))`);
    await expect(apply(timed, { turnWaitMs: 500 })).rejects.toThrow(
      /Another process has been migrating the schema organization for more than 0.5 s.*pg_terminate_backend/,
    );
    await owner.query('select pg_advisory_unlock_all()');
    expect(await apply(timed, { turnWaitMs: 500 })).toHaveLength(2);
  });
});
