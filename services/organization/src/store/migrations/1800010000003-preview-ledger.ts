import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The preview rows of the ledger, newest first, with every column that usage is grouped by and the log is filtered by.
 * A key of preview reads only these, and without this index would scan every row of production. Charges of production
 * do not maintain it.
 */
export class PreviewLedger1800010000003 implements MigrationInterface {
  name = 'PreviewLedger1800010000003';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists credit_log_preview');
    await queryRunner.query(
      `create index concurrently credit_log_preview
         on credit_log (organization_id, created_at, id, kind, amount, operation, template_id, actor_id)
         where amount <> 0 and environment = 'preview'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index credit_log_preview');
  }
}
