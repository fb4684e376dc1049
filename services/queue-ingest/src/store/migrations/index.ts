import type { MigrationInterface } from 'typeorm';

/** Queues keep nothing yet. */
export const migrations: (new () => MigrationInterface)[] = [];
