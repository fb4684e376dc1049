import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Requests counted against the rates. */
export class Rates1764200000020 implements MigrationInterface {
  readonly name = 'Rates1764200000020';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Only organizations with recent requests have rows, and no changing column is indexed: an update stays on its
    // page, and the sweeper reads few pages.
    await queryRunner.query(
      `create table rate_counters (
         organization_id uuid not null,
         rate text not null,
         newest bigint not null,
         counts integer[] not null,
         granted integer not null,
         constraint rate_counters_pk primary key (organization_id, rate)
       ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000)`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table rate_counters');
  }
}
