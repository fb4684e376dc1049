import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of people in the console. They belong to a person and not to an organization. */
export class ConsoleSessions1795900000010 implements MigrationInterface {
  readonly name = 'ConsoleSessions1795900000010';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create table console_sessions (
         digest bytea constraint console_sessions_pk primary key,
         key_digest text,
         subject text,
         email text,
         email_verified boolean not null,
         refresh_token bytea,
         refresh_key_id text,
         created_at timestamptz(3) not null,
         seen_at timestamptz(3) not null,
         expires_at timestamptz(3) not null,
         vouched_until timestamptz(3) not null,
         renewing_until timestamptz(3),
         constraint console_sessions_holder check (num_nonnulls(key_digest, subject) = 1),
         constraint console_sessions_sealed check (num_nonnulls(refresh_token, refresh_key_id) in (0, 2))
       )`,
    );
    await queryRunner.query('create index console_sessions_expires_at on console_sessions (expires_at)');
    await queryRunner.query('create index console_sessions_seen_at on console_sessions (seen_at)');
    await queryRunner.query('create index console_sessions_key on console_sessions (key_digest)');
    await queryRunner.query('create index console_sessions_subject on console_sessions (subject)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table console_sessions');
  }
}
