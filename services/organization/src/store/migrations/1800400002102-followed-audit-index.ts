import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leads through the audit log of an organization in the order of its entries. */
export class FollowedAuditIndex1800400002102 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists audit_log_followed');
    await queryRunner.query(
      `create index concurrently audit_log_followed on audit_log
         (organization_id, coalesce(followed_at, recorded_at), id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index audit_log_followed');
  }
}
