import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where test sends may go besides to their callers; a list for each environment. */
export class TestTargets1800150000011 implements MigrationInterface {
  readonly name = 'TestTargets1800150000011';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create table test_targets (
         organization_id uuid not null,
         environment text not null
           constraint test_targets_environment check (environment in ('production', 'preview')),
         targets json not null,
         updated_by text not null,
         updated_at timestamptz(3) not null,
         constraint test_targets_pk primary key (organization_id, environment)
       )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table test_targets');
  }
}
