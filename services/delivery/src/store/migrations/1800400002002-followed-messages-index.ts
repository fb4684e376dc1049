import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leads through the changes of messages in their order. */
export class FollowedMessagesIndex1800400002002 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists message_states_followed');
    await queryRunner.query(
      `create index concurrently message_states_followed on message_states
         (organization_id, environment, coalesce(followed_at, changed_at), message_id)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index message_states_followed');
  }
}
