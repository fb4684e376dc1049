import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An event waits for earlier ones of its subject, which are found by it. */
export class EventOrder1800150000002 implements MigrationInterface {
  readonly name = 'EventOrder1800150000002';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists deliveries_subject');
    await queryRunner.query(
      `create index concurrently deliveries_subject
         on deliveries (organization_id, environment, destination_id, subject, id)
         where status = 'waiting' and subject is not null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index deliveries_subject');
  }
}
