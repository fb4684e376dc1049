import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For a table of few rows that change all the time. */
const few = 'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000';
/** For a large table: a fiftieth instead of a fifth. */
const share = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02';

const steps = [
  `alter table daily_events set (${few})`,
  `alter table batches set (${share})`,
  `alter table event_keys set (${share})`,
  `alter table pushes set (${share})`,
];

const undoing = [
  'alter table daily_events reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)',
  'alter table batches reset (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor)',
  'alter table event_keys reset (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor)',
  'alter table pushes reset (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor)',
];

/** Tables in which each request leaves dead rows are vacuumed long before a fifth of them is dead. */
export class Autovacuum1800140000003 implements MigrationInterface {
  readonly name = 'Autovacuum1800140000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const step of undoing) await queryRunner.query(step);
  }
}
