import type { Migration } from '@stanza/runtime';
import { RuntimeTables1795219300000 } from './1795219300000-runtime-tables.ts';
import { Queues1795219400000 } from './1795219400000-queues.ts';
import { Traces1795219500000 } from './1795219500000-traces.ts';

/** The migrations of the schema, oldest first. */
export const migrations: Migration[] = [RuntimeTables1795219300000, Queues1795219400000, Traces1795219500000];
