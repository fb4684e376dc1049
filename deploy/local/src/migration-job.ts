/** A process that brings every schema of the database of `STANZA_MIGRATION_URL` up to date. */
import { createLogger } from '@stanza/runtime';
import { migrateAll } from './migrations.ts';

const url = process.env.STANZA_MIGRATION_URL;
if (url === undefined) throw new Error('STANZA_MIGRATION_URL is not set.');
await migrateAll(url, createLogger({ name: 'migrate', level: 'info' }));
