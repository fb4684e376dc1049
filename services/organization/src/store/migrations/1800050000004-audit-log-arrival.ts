import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log of all organizations in the order in which its lines were written, for its stream. */
export class AuditLogArrival1800050000004 implements MigrationInterface {
  name = 'AuditLogArrival1800050000004';
  /** An index is built beside running writers outside of a transaction alone. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // What an attempt that was broken off has left is invalid, and in the way.
    await queryRunner.query('drop index concurrently if exists audit_log_arrival');
    await queryRunner.query('create index concurrently audit_log_arrival on audit_log (recorded_at, id)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index audit_log_arrival');
  }
}
