import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deliveries are claimed by organization and destination in turns, so their backlogs are read one by one. */
export class DeliveryTurns1800110000001 implements MigrationInterface {
  readonly name = 'DeliveryTurns1800110000001';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists deliveries_turns');
    await queryRunner.query(
      `create index concurrently deliveries_turns
         on deliveries (organization_id, destination_id, due_at) where status = 'waiting'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index deliveries_turns');
  }
}
