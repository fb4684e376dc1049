import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Index of the batches that refer to a destination by the policy with which they began. */
export class BatchDestinations1800030000003 implements MigrationInterface {
  readonly name = 'BatchDestinations1800030000003';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists batches_destination');
    await queryRunner.query(
      `create index concurrently batches_destination
       on batches ((policy ->> 'destination_id'), organization_id, environment)
       where status <> 'delivered' and policy ->> 'destination_id' is not null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index batches_destination');
  }
}
