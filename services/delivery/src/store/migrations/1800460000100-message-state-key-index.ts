import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leads from a message to its state. */
export class MessageStateKeyIndex1800460000100 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists message_states_key');
    await queryRunner.query(
      `create unique index concurrently message_states_key on message_states
         (organization_id, environment, message_id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index if exists message_states_key');
  }
}
