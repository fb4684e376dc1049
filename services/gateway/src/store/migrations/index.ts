import type { Migration } from '@stanza/runtime';

/** The gateway keeps nothing of its own yet. */
export const migrations: Migration[] = [];
