import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the few deliveries of a destination that have failed among the many that arrived. */
export class UndeliveredIndex1800500000495 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists deliveries_not_delivered');
    await queryRunner.query(
      `create index concurrently deliveries_not_delivered
         on deliveries (organization_id, environment, destination_id, status, id)
         where status in ('failed', 'unknown')`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index deliveries_not_delivered');
  }
}
