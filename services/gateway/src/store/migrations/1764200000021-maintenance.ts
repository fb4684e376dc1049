import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The maintenance mode, one row for all gateways. */
export class Maintenance1764200000021 implements MigrationInterface {
  readonly name = 'Maintenance1764200000021';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create table maintenance (
         id boolean constraint maintenance_pk primary key constraint maintenance_one_row check (id),
         is_on boolean not null,
         message text,
         retry_after integer not null,
         since timestamptz(3)
       )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table maintenance');
  }
}
