import { resetInboxVacuum, vacuumInbox } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The inbox is vacuumed long before a fifth of it is dead. */
export class InboxVacuum1800360000005 implements MigrationInterface {
  readonly name = 'InboxVacuum1800360000005';

  async up(queryRunner: QueryRunner): Promise<void> {
    await vacuumInbox(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await resetInboxVacuum(queryRunner);
  }
}
