import { createKeys, dropKeys } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const kinds = [{ kind: 'destination', table: 'destinations' }] as const;

/** Destinations have keys. */
export class Keys1800080000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createKeys(queryRunner, kinds);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropKeys(queryRunner, kinds);
  }
}
