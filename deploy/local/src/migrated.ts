import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaOf, serviceNames } from '@stanza/contracts';
import pg from 'pg';
import { withClient } from './database-client.ts';
import { projectRoot } from './project.ts';

const schemas = serviceNames.map(schemaOf);

/** Names what brings the schemas up to date: a hash of the migrations of the build, and of what applies them. */
export const migrationsHash = (): string => {
  const hash = createHash('sha256');
  const built = ['services/*/dist/store/migrations/*.js', 'shared/runtime/dist/database/*.js'];
  for (const file of globSync(built, { cwd: projectRoot }).sort())
    hash.update(file).update(readFileSync(join(projectRoot, file)));
  return hash.digest('hex');
};

const noteOf = (hash: string): string => `brought up to date by the migrations ${hash}`;

/**
 * Whether the migrations with this hash were the last to change each schema. The database says so itself: one that was
 * restored, or changed by another build, says something else.
 * @param url address for the migrator
 */
export const isMigrated = (url: string, hash: string): Promise<boolean> =>
  withClient(url, async (client) => {
    const { rows } = await client.query(
      `select from pg_namespace where nspname = any($1) and obj_description(oid, 'pg_namespace') = $2`,
      [schemas, noteOf(hash)],
    );
    return rows.length === schemas.length;
  });

/** Notes at each schema which migrations have brought it up to date. */
export const noteMigrated = (url: string, hash: string): Promise<void> =>
  withClient(url, async (client) => {
    for (const schema of schemas) {
      const note = pg.escapeLiteral(noteOf(hash));
      await client.query(`comment on schema ${pg.escapeIdentifier(schema)} is ${note}`);
    }
  });
