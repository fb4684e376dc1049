import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For a table of few rows that change all the time. */
const few = 'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000';
/** For rows that are soon deleted, by number: their share of a large table would be reached late. */
const many = 'autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000';
/** For a large table: a fiftieth instead of a fifth. */
const share = 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02';

const steps = [
  `alter table withdrawn_operations set (${many})`,
  `alter table deferred_sends set (${many})`,
  `alter table method_slots set (${few})`,
  `alter table deliveries set (${share})`,
  `alter table messages set (${share})`,
];

const undoing = [
  'alter table withdrawn_operations reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)',
  'alter table deferred_sends reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)',
  'alter table method_slots reset (autovacuum_vacuum_scale_factor, autovacuum_vacuum_threshold)',
  'alter table deliveries reset (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor)',
  'alter table messages reset (autovacuum_vacuum_scale_factor, autovacuum_analyze_scale_factor)',
];

/** Tables in which each request leaves dead rows are vacuumed long before a fifth of them is dead. */
export class Autovacuum1800140000001 implements MigrationInterface {
  readonly name = 'Autovacuum1800140000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const step of undoing) await queryRunner.query(step);
  }
}
