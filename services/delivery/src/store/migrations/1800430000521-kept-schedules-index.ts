import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts the scheduled messages of an organization that have not ended, paused ones included, and their bytes. */
export class KeptSchedulesIndex1800430000521 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists scheduled_messages_kept');
    await queryRunner.query(
      `create index concurrently scheduled_messages_kept on scheduled_messages (organization_id, data_bytes)
         where ended_at is null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index scheduled_messages_kept');
  }
}
