import type { Migration } from '@stanza/runtime';
import { Templates1795219200000 } from './1795219200000-templates.ts';

/** The migrations of the schema, oldest first. */
export const migrations: Migration[] = [Templates1795219200000];
