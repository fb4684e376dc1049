import type { Migration } from '@stanza/runtime';

/** Compiling keeps nothing yet. */
export const migrations: Migration[] = [];
