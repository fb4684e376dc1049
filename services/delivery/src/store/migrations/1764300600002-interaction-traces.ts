import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Actions of an interaction keep its trace. */
export class InteractionTraces1764300600002 implements MigrationInterface {
  name = 'InteractionTraces1764300600002';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table interaction_actions add column traceparent text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table interaction_actions drop column traceparent');
  }
}
