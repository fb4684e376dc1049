import { addFollowedAt, createCommitOrder, dropCommitOrder } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Places changes of messages in the order of transactions, next to the moment of the change. */
export class FollowedMessages1800400002001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createCommitOrder(queryRunner);
    await addFollowedAt(queryRunner, 'message_states');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table message_states drop column followed_at');
    await dropCommitOrder(queryRunner);
  }
}
