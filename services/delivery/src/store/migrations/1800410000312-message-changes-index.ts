import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leads from a message to its changes. */
export class MessageChangesIndex1800410000312 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists messages_changes');
    await queryRunner.query(
      `create index concurrently messages_changes on messages (organization_id, environment, revises, revision)
         where revises is not null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index messages_changes');
  }
}
