import { createRuntimeTables, dropRuntimeTables } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The outbox, inbox and dead letters of every service with a schema. */
export class RuntimeTables1795219300000 implements MigrationInterface {
  readonly name = 'RuntimeTables1795219300000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await createRuntimeTables(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropRuntimeTables(queryRunner);
  }
}
