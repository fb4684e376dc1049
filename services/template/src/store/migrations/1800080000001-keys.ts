import { createKeys, dropKeys } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const kinds = [
  { kind: 'template', table: 'templates' },
  { kind: 'entity', table: 'entities' },
  { kind: 'modal', table: 'modals' },
] as const;

/** Templates, entities and modals have keys, which are the same in every environment. */
export class Keys1800080000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createKeys(queryRunner, kinds);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropKeys(queryRunner, kinds);
  }
}
