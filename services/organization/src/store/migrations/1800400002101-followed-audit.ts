import { addFollowedAt, createCommitOrder, dropCommitOrder } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Places entries of the audit log in the order of transactions, next to the moment of the entry. */
export class FollowedAudit1800400002101 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createCommitOrder(queryRunner);
    await addFollowedAt(queryRunner, 'audit_log');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table audit_log drop column followed_at');
    await dropCommitOrder(queryRunner);
  }
}
