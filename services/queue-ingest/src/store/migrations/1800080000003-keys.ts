import { createKeys, dropKeys } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const kinds = [{ kind: 'queue', table: 'queues', deletedAt: 'deleted_at' }] as const;

/** Queues have keys. */
export class Keys1800080000003 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createKeys(queryRunner, kinds);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropKeys(queryRunner, kinds);
  }
}
