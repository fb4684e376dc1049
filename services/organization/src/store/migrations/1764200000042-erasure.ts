import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  'alter table organizations add column deleted_at timestamptz(3), add column erased_at timestamptz(3)',
  `create table erasures (
     organization_id uuid not null constraint erasures_organization references organizations,
     service text not null,
     requested_at timestamptz(3) not null,
     erased_at timestamptz(3),
     erased_rows bigint,
     constraint erasures_pk primary key (organization_id, service)
   )`,
  `create index organizations_unerased on organizations (deleted_at)
   where status = 'deleted' and erased_at is null`,
];

/** Deleted organizations, and the state of their erasure in each service. */
export class Erasure1764200000042 implements MigrationInterface {
  name = 'Erasure1764200000042';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table erasures');
    await queryRunner.query('drop index organizations_unerased');
    await queryRunner.query('alter table organizations drop column erased_at, drop column deleted_at');
  }
}
