import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Leads from a request to run a scheduled message now to its run. */
export class RequestedRunsIndex1800430000522 implements MigrationInterface {
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index concurrently if exists scheduled_runs_requested');
    await queryRunner.query(
      `create index concurrently scheduled_runs_requested
         on scheduled_runs (organization_id, environment, requested_operation_id)
         where requested_operation_id is not null`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index scheduled_runs_requested');
  }
}
