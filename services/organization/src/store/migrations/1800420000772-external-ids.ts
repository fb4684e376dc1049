import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps what identity providers call people. */
export class ExternalIds1800420000772 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table external_ids (
         organization_id uuid not null constraint external_ids_organization references organizations (id),
         user_id uuid not null constraint external_ids_user references users (id) on delete cascade,
         external_id text not null,
         constraint external_ids_pk primary key (organization_id, user_id)
       )`,
    );
    await runner.query('create index external_ids_external on external_ids (organization_id, external_id)');
    await runner.query('create index external_ids_user_id on external_ids (user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table external_ids');
  }
}
