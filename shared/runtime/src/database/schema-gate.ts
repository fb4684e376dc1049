import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../observability/log.ts';
import { Baseline } from './baseline.ts';
import type { Migration } from './data-source.ts';
import type { Database } from './database.ts';
import { statement } from './statement.ts';

/** Milliseconds between two checks of a schema that is behind. */
const pollMs = 200;

interface SchemaState {
  /** Needed and not yet applied; oldest first. */
  missing: string[];
  /** Applied by a later version. This version runs alongside them, since migrations only add. */
  unknown: string[];
}

// The first migration makes the schema a moment before it grants it, and `to_regclass` raises an error in between.
const migrationsPresence = statement<{ present: boolean }>(
  'migrations-presence',
  `select exists (select from pg_class t join pg_namespace s on s.oid = t.relnamespace
    where s.nspname = $1 and t.relname = 'migrations'
      and has_schema_privilege(s.oid, 'usage') and has_table_privilege(t.oid, 'select')) as present`,
);

const appliedMigrations = statement<{ name: string }>(
  'migrations-applied',
  'select name from migrations order by timestamp',
);

/** The names by which migrations are recorded as applied, and those of the earlier ones that a baseline replaces. */
const namesOfMigrations = (migrations: readonly Migration[]): { needed: string[]; replaced: string[] } => {
  const made = migrations.map((make) => ({ make, migration: new make() }));
  return {
    needed: made.map(({ make, migration }) => migration.name ?? make.name),
    replaced: made.flatMap(({ migration }) => (migration instanceof Baseline ? migration.replaced : [])),
  };
};

const readSchemaState = async (
  database: Database,
  schema: string,
  migrations: readonly Migration[],
): Promise<SchemaState> => {
  const { needed, replaced } = namesOfMigrations(migrations);
  const [row] = await database.query(migrationsPresence, [schema]);
  if (!row?.present) return { missing: needed, unknown: [] };
  const applied = (await database.query(appliedMigrations)).map(({ name }) => name);
  return {
    missing: needed.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !needed.includes(name) && !replaced.includes(name)),
  };
};

/** The schema to wait for. */
export interface AwaitedSchema {
  database: Database;
  schema: string;
  migrations: readonly Migration[];
  log: Logger;
}

/**
 * Waits until the schema has every migration that this version needs. Processes of a new version may start before its
 * migrations have run; they take no requests until then.
 * @param note called with the missing migrations at each check, and with none at the end
 */
export const awaitSchema = async (
  { database, schema, migrations, log }: AwaitedSchema,
  note: (missing: readonly string[]) => void,
): Promise<void> => {
  for (let logged = ''; ; ) {
    const { missing, unknown } = await readSchemaState(database, schema, migrations);
    note(missing);
    if (missing.length === 0) {
      if (unknown.length > 0) log.info({ schema, unknown }, 'the schema is newer than this version');
      return;
    }
    if (missing.join() !== logged)
      log.warn({ code: 'schema_behind', schema, missing }, 'the schema lacks migrations; waiting for them');
    logged = missing.join();
    await pause(pollMs);
  }
};
