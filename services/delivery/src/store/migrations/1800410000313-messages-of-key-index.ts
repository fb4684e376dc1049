import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leads from a sender's key to its messages. */
export class MessagesOfKeyIndex1800410000313 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists messages_of_key');
    await queryRunner.query(
      `create index concurrently messages_of_key on messages (organization_id, environment, message_key, id)
         where message_key is not null and revises is null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index messages_of_key');
  }
}
