import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '../log.ts';
import type { Migration } from './data-source.ts';

/** Between two looks, milliseconds. */
const lookAgainMs = 1_000;

/** What `awaitSchema` takes. */
export interface AwaitSchemaOptions {
  /** Address with the service's own role, which may read which migrations were applied. */
  url: string;
  schema: string;
  /** Those that the code of this release knows. */
  migrations: readonly Migration[];
  log: Logger;
  /** Milliseconds after which it gives up. */
  patienceMs: number;
  /** Between two looks, milliseconds; a second unless given. */
  lookAgainMs?: number;
}

const nameOf = (migration: Migration): string => new migration().name ?? migration.name;

const appliedIn = async ({ url, schema }: AwaitSchemaOptions): Promise<Set<string>> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A connection that breaks while nobody asks anything is found at the next look.
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select name from ${pg.escapeIdentifier(schema)}.migrations`,
    );
    return new Set(rows.map((it) => it.name));
  } finally {
    await client.end();
  }
};

/**
 * Waits until every migration that this code knows has been applied, by whoever applies them; a schema that is further
 * than this code is fine. While the database or the schema is not there it waits too.
 * @throws an Error that names what is missing when the patience is at its end
 */
export const awaitSchema = async (options: AwaitSchemaOptions): Promise<void> => {
  const { schema, migrations, log, patienceMs } = options;
  const known = migrations.map(nameOf);
  const giveUpAt = performance.now() + patienceMs;
  let told = '';
  for (;;) {
    let missing = known;
    let cause: unknown;
    try {
      const applied = await appliedIn(options);
      missing = known.filter((name) => !applied.has(name));
      if (missing.length === 0) return log.info({ schema }, 'the schema is as this code needs it');
    } catch (err) {
      cause = err;
    }
    const state = `${missing.join(', ')} ${String(cause ?? '')}`;
    if (state !== told) log.info({ schema, missing, err: cause }, 'waiting for migrations');
    told = state;
    if (performance.now() >= giveUpAt) {
      throw new Error(`the schema ${schema} lacks ${missing.join(', ')}; run the migrations`, { cause });
    }
    await pause(options.lookAgainMs ?? lookAgainMs);
  }
};
