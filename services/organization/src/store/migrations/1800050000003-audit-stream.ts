import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The position of the stream of the audit log. */
export class AuditStream1800050000003 implements MigrationInterface {
  name = 'AuditStream1800050000003';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create table audit_streams (
         name text constraint audit_streams_pk primary key,
         recorded_at timestamptz(3) not null,
         line_id uuid not null,
         leased_until timestamptz(3)
       )`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table audit_streams');
  }
}
