import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A look at due messages reads them by their time, however many organizations wait. */
export class DueSends1800220000001 implements MigrationInterface {
  readonly name = 'DueSends1800220000001';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists deferred_sends_due_at');
    await queryRunner.query(
      `create index concurrently deferred_sends_due_at
         on deferred_sends (due_at) where status = 'waiting'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index deferred_sends_due_at');
  }
}
