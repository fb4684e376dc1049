import { createRuntimeTables, dropRuntimeTables } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The outbox, inbox and dead letters that every service with a schema has; queues come on top of them. */
export class RuntimeTables1795219300000 implements MigrationInterface {
  readonly name = 'RuntimeTables1795219300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await createRuntimeTables(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropRuntimeTables(queryRunner);
  }
}
