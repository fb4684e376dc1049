import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The fence of a message: the try of the deferred send. Processes of the previous version leave it unchanged, and write
 * messages by their status only.
 */
export class Fences1800040000001 implements MigrationInterface {
  name = 'Fences1800040000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table messages
         add column fence integer not null default 0,
         add column posting_fence integer`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table messages drop column posting_fence, drop column fence');
  }
}
