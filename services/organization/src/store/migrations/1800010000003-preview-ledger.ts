import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The rows of preview in the ledger, newest first, with all that use is grouped and the log is filtered by. A key of
 * preview reads them alone, and without this index it would read every row of production to find them. Charges of
 * production do not pay for it.
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
