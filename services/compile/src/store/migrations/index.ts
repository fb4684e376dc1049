import type { Migration } from '@stanza/runtime';

/** The compile service stores nothing yet. */
export const migrations: Migration[] = [];
