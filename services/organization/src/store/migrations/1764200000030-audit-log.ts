import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The audit log. */
export class AuditLog1764200000030 implements MigrationInterface {
  name = 'AuditLog1764200000030';

  async up(queryRunner: QueryRunner): Promise<void> {
    // No foreign keys: the log outlives its subjects, and entries of other services arrive later than the change.
    await queryRunner.query(
      `create table audit_log (
         id uuid constraint audit_log_pk primary key,
         organization_id uuid not null,
         environment text constraint audit_log_environment check (environment in ('production', 'preview')),
         actor_type text not null,
         actor_id text not null,
         actor_user_id uuid,
         action text not null,
         subject_kind text not null,
         subject_id text not null,
         changes jsonb not null,
         request_id text not null,
         at timestamptz(3) not null
       )`,
    );
    await queryRunner.query('create index audit_log_newest on audit_log (organization_id, at, id)');
    await queryRunner.query(
      'create index audit_log_subject on audit_log (organization_id, subject_id, at, id)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table audit_log');
  }
}
