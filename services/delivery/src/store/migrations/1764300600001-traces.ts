import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deferred messages and deliveries keep the trace of the request that they come from. */
export class Traces1764300600001 implements MigrationInterface {
  name = 'Traces1764300600001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table deferred_sends add column traceparent text');
    await queryRunner.query('alter table deliveries add column traceparent text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table deliveries drop column traceparent');
    await queryRunner.query('alter table deferred_sends drop column traceparent');
  }
}
