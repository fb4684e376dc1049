import { resetInboxVacuum, vacuumInbox } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settlements, of which each send writes one and a retention deletes as many, and the inbox are vacuumed long before a fifth is dead. */
export class SettlementsVacuum1800360000001 implements MigrationInterface {
  readonly name = 'SettlementsVacuum1800360000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'alter table settlements set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)',
    );
    await vacuumInbox(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await resetInboxVacuum(queryRunner);
    await queryRunner.query(
      'alter table settlements reset (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor)',
    );
  }
}
