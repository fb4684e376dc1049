import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations take turns at due deliveries, so their backlogs are read one by one. */
export class DeliveryOrganizations1800360000103 implements MigrationInterface {
  readonly name = 'DeliveryOrganizations1800360000103';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists deliveries_due_by_organization');
    await queryRunner.query(
      `create index concurrently deliveries_due_by_organization
         on deliveries (organization_id, due_at) where status = 'waiting'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index deliveries_due_by_organization');
  }
}
