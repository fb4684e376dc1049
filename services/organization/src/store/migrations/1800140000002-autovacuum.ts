import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For a large table: a fiftieth instead of a fifth. */
const share = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02';

const steps = [`alter table reservations set (${share})`];

const undoing = [
  'alter table reservations reset (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor)',
];

/** Tables in which each request leaves dead rows are vacuumed long before a fifth of them is dead. */
export class Autovacuum1800140000002 implements MigrationInterface {
  readonly name = 'Autovacuum1800140000002';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const step of undoing) await queryRunner.query(step);
  }
}
