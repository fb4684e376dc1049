/**
 * A process of a starting stack: loads the migrations, and runs them in the database whose address it reads from its
 * standard input. It loads while Postgres starts. Without an address it ends.
 */
import { text } from 'node:stream/consumers';
import { createLogger } from '@stanza/runtime';
import { loadMigrations, migrateAll } from './migrations.ts';

await loadMigrations();
const url = await text(process.stdin);
if (url !== '') await migrateAll(url, createLogger({ name: 'migrate', level: 'info' }));
