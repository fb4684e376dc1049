import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log of all organizations in the order in which its entries were written, for its stream. */
export class AuditLogArrival1800050000004 implements MigrationInterface {
  name = 'AuditLogArrival1800050000004';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // An interrupted attempt leaves an invalid index behind.
    await queryRunner.query('drop index concurrently if exists audit_log_arrival');
    await queryRunner.query('create index concurrently audit_log_arrival on audit_log (recorded_at, id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index audit_log_arrival');
  }
}
