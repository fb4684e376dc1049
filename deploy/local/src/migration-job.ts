/** A process of its own: brings every schema of the database that `STANZA_MIGRATION_URL` names up to date. */
import { createLogger } from '@stanza/runtime';
import { migrateAll } from './migrations.ts';

const url = process.env.STANZA_MIGRATION_URL;
if (url === undefined) throw new Error('STANZA_MIGRATION_URL names no database.');
await migrateAll(url, createLogger({ name: 'migrate', level: 'info' }));
