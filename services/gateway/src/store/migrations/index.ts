import type { MigrationInterface } from 'typeorm';

/** The gateway keeps nothing of its own yet. */
export const migrations: (new () => MigrationInterface)[] = [];
