/** A process that brings every schema of the database of `STANZA_MIGRATION_URL` up to date. */
import { createLogger } from '@stanza/runtime';
import { StackFailure } from './failure.ts';
import { migrateAll } from './migrations.ts';
import { databaseAddress } from './provision.ts';

const url = process.env.STANZA_MIGRATION_URL?.trim();
if (!url) {
  throw new StackFailure(
    'STANZA_MIGRATION_URL is required.',
    'It is the address of the database with the role stanza_migrator.',
  );
}
await migrateAll(databaseAddress(url).href, createLogger({ name: 'migrate', level: 'info' }));
