import type { Client } from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import type { Migration } from './data-source.ts';

/**
 * The first migration of a schema: it makes at once what the migrations of earlier versions made one after the other. A
 * new schema runs it. A schema with all of those migrations is adopted by {@link adoptBaseline}.
 */
export abstract class Baseline implements MigrationInterface {
  abstract readonly name: string;

  /** Names of the migrations that it replaces, separated by white space. */
  abstract readonly replaces: string;

  /** What {@link fingerprintOf} answers of a schema that it has made. */
  abstract readonly fingerprint: string;

  /** Makes the tables, functions and triggers. */
  abstract make(queryRunner: QueryRunner): Promise<void>;

  /** The migrations that it replaces, by name. */
  get replaced(): string[] {
    return this.replaces.split(/\s+/).filter((name) => name !== '');
  }

  async up(queryRunner: QueryRunner): Promise<void> {
    await this.make(queryRunner);
    // Processes of earlier versions, which run alongside this one during a rollout, look for the migrations that they
    // know.
    await queryRunner.query(
      `insert into migrations (timestamp, name)
       select right(name, 13)::bigint, name from unnest($1::text[]) as name`,
      [this.replaced],
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`do $$
      declare statement text;
      begin
        foreach statement in array array(
          select format('drop table if exists %s cascade', oid::regclass)
          from pg_class
          where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and relname <> 'migrations'
          union all
          select format('drop routine if exists %s cascade', oid::regprocedure)
          from pg_proc
          where pronamespace = current_schema()::regnamespace
        ) loop
          execute statement;
        end loop;
      end $$`);
  }
}

/** Columns, constraints, indexes, triggers and functions of a schema. Partitions by day come and go. */
const fingerprintSql = `
  with tables as (
    select oid, relname
    from pg_class
    where relnamespace = $1::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> 'migrations'
  ),
  parts as (
    select format('%s.%s %s %s %s', relname, attname, format_type(atttypid, atttypmod), attnotnull,
      pg_get_expr(adbin, adrelid)) as part
    from tables
    join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select format('%s %s %s', relname, conname, pg_get_constraintdef(pg_constraint.oid))
    from tables join pg_constraint on conrelid = tables.oid and contype in ('p', 'u', 'c', 'f')
    union all
    select pg_get_indexdef(indexrelid) from tables join pg_index on indrelid = tables.oid
    union all
    select pg_get_triggerdef(pg_trigger.oid) from tables join pg_trigger on tgrelid = tables.oid and not tgisinternal
    union all
    select format('%s %s', oid::regprocedure, regexp_replace(prosrc, '\\s+', '', 'g'))
    from pg_proc where pronamespace = $1::regnamespace
  )
  select md5(string_agg(part, ' ' order by part collate "C")) as fingerprint from parts`;

/** A hash of what a schema consists of, the same for two schemas of one name that consist of the same. */
export const fingerprintOf = async (client: Pick<Client, 'query'>, schema: string): Promise<string> => {
  // Definitions name the schema of what is outside of the search path.
  await client.query("begin; set local search_path = ''");
  const { rows } = await client.query<{ fingerprint: string }>(fingerprintSql, [schema]);
  await client.query('commit');
  return rows[0]?.fingerprint ?? '';
};

const baselineOf = ([first]: readonly Migration[]): Baseline | undefined => {
  const migration = first && new first();
  return migration instanceof Baseline ? migration : undefined;
};

const namesIn = async (client: Client, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ present: boolean }>('select to_regclass($1) is not null as present', [
    table,
  ]);
  if (!rows[0]?.present) return [];
  return (await client.query<{ name: string }>(`select name from ${table}`)).rows.map(({ name }) => name);
};

/**
 * Records the baseline as run in a schema that earlier versions have made.
 * @throws an error that says what to do where the schema is not that of the baseline
 */
export const adoptBaseline = async (
  client: Client,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> => {
  const baseline = baselineOf(migrations);
  if (!baseline) return;
  const table = `${client.escapeIdentifier(schema)}.migrations`;
  const names = await namesIn(client, table);
  if (names.length === 0 || names.includes(baseline.name)) return;
  const missing = baseline.replaced.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    throw new Error(
      `The schema ${schema} is older than this version can migrate: it lacks ${missing.join(', ')}. ` +
        'Run the migrations of the last version before 0.1.0 first, then those of this one.',
    );
  }
  if ((await fingerprintOf(client, schema)) !== baseline.fingerprint) {
    throw new Error(
      `The schema ${schema} has every migration before 0.1.0 but differs from what they make, so it has been changed by ` +
        'hand. Undo that change, or restore the data into a database that version 0.1.0 has made.',
    );
  }
  await client.query(`insert into ${table} (timestamp, name) values (right($1, 13)::bigint, $1)`, [
    baseline.name,
  ]);
};
