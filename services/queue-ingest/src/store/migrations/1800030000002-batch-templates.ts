import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Index of the batches that refer to a template by the policy with which they began. */
export class BatchTemplates1800030000002 implements MigrationInterface {
  readonly name = 'BatchTemplates1800030000002';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists batches_template');
    await queryRunner.query(
      `create index concurrently batches_template
       on batches ((policy ->> 'template_id'), organization_id, environment)
       where status <> 'delivered' and policy ->> 'template_id' is not null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index batches_template');
  }
}
