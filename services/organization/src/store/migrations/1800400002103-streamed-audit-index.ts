import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leads through the audit log of all organizations in the order of its entries. */
export class StreamedAuditIndex1800400002103 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists audit_log_streamed');
    await queryRunner.query(
      'create index concurrently audit_log_streamed on audit_log (coalesce(followed_at, recorded_at), id)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index audit_log_streamed');
  }
}
