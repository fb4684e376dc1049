import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The bytes of the data of an organization's active scheduled messages are summed up from an index: the rows are wide. */
export class ScheduledDataBytesIndex1800370000002 implements MigrationInterface {
  readonly name = 'ScheduledDataBytesIndex1800370000002';
  /** An index is built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    // Left over by a build that was interrupted.
    await queryRunner.query('drop index concurrently if exists scheduled_messages_data_bytes');
    await queryRunner.query(
      `create index concurrently scheduled_messages_data_bytes
         on scheduled_messages (organization_id, data_bytes)
         where status = 'active'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index scheduled_messages_data_bytes');
  }
}
