import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sharedByTests } from '@stanza/test-kit/shared';
import type pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { applyMigrations, freshSchema, startTestPostgres } from '../testing/postgres.ts';
import { Baseline, fingerprintOf } from './baseline.ts';

const schema = 'organization';

/** The schema's migrations before the baseline: the first one, which the tests have, and this one. */
class Labels1700000001000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table notes add column label text');
    await queryRunner.query('create index notes_label on notes (label)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table notes drop column label');
  }
}

/** Makes at once what they make of an empty schema, but for the tables of the runtime. */
const baselineWith = (fingerprint: string) =>
  class Baseline1700000002000 extends Baseline {
    readonly name = 'Baseline1700000002000';
    readonly replaces = 'FirstTables1700000000000 Labels1700000001000';
    readonly fingerprint = fingerprint;

    async make(queryRunner: QueryRunner): Promise<void> {
      await queryRunner.query(`
        create table notes (id bigint primary key, text text not null, at timestamptz(3), label text);
        create unique index notes_text on notes (text);
        create index notes_label on notes (label)`);
    }
  };

describe('the baseline of a schema', () => {
  const postgres = sharedByTests(startTestPostgres);
  let owner: pg.Client;
  /** That of the schema with all migrations before the baseline. */
  let fingerprint: string;

  const apply = (...migrations: (new () => MigrationInterface)[]) =>
    applyMigrations(postgres().url, schema, migrations);
  const recorded = async () =>
    (await owner.query<{ name: string }>(`select name from ${schema}.migrations order by name`)).rows.map(
      ({ name }) => name,
    );
  const all = ['Baseline1700000002000', 'FirstTables1700000000000', 'Labels1700000001000'];

  beforeEach(async () => {
    ({ owner } = await freshSchema(postgres().url, schema));
    await owner.query(`drop table ${schema}.outbox, ${schema}.inbox, ${schema}.dead_letters`);
    await apply(Labels1700000001000);
    fingerprint = await fingerprintOf(owner, schema);
  });
  afterEach(() => owner.end());

  it('makes a new schema, and records the migrations that it replaces for earlier versions', async () => {
    await owner.query(`drop schema ${schema} cascade`);
    expect(await apply(baselineWith(fingerprint))).toEqual(['Baseline1700000002000']);
    expect(await recorded()).toEqual(all);
    expect(await fingerprintOf(owner, schema)).toBe(fingerprint);
    expect(await apply(baselineWith(fingerprint))).toEqual([]);
  });

  it('adopts a schema that has every migration that it replaces, with its rows', async () => {
    await owner.query(`insert into ${schema}.notes (id, text) values (1, 'kept')`);
    expect(await apply(baselineWith(fingerprint))).toEqual([]);
    expect(await recorded()).toEqual(all);
    expect((await owner.query(`select text from ${schema}.notes`)).rows).toEqual([{ text: 'kept' }]);
  });

  it('refuses a schema that lacks one of them, with its name and what to do', async () => {
    await owner.query(`delete from ${schema}.migrations where name like 'Labels%'`);
    await expect(apply(baselineWith(fingerprint))).rejects.toThrow(
      /it lacks Labels1700000001000\. Run the migrations of the last version before 0\.1\.0 first/,
    );
    expect(await recorded()).toEqual(['FirstTables1700000000000']);
  });

  it.each([
    `alter table ${schema}.notes add column more text`,
    `alter table ${schema}.notes alter column label set not null`,
    `drop index ${schema}.notes_label`,
    `alter table ${schema}.notes add constraint short check (length(text) < 10)`,
    `create function ${schema}.one() returns integer language sql return 1`,
  ])('refuses a schema that was changed by hand: %s', async (change) => {
    await owner.query(change);
    await expect(apply(baselineWith(fingerprint))).rejects.toThrow(/has been changed by hand/);
    expect(await recorded()).toEqual(all.slice(1));
  });
});
