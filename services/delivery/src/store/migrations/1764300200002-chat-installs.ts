import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Installations through the chat platform in progress. */
export class ChatInstalls1764300200002 implements MigrationInterface {
  name = 'ChatInstalls1764300200002';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create table chat_installs (
         organization_id uuid not null,
         environment text not null
           constraint chat_installs_environment check (environment in ('production', 'preview')),
         id uuid not null,
         actor json not null,
         state_hash bytea not null,
         status text not null default 'begun'
           constraint chat_installs_status check (status in ('begun', 'spent', 'waiting', 'connected')),
         confirm_hash bytea,
         workspace_id text,
         workspace_name text,
         bot_user_id text,
         scopes json,
         token_ciphertext bytea,
         token_key_id text,
         created_at timestamptz(3) not null,
         expires_at timestamptz(3) not null,
         constraint chat_installs_pk primary key (organization_id, environment, id),
         constraint chat_installs_state unique (state_hash),
         constraint chat_installs_confirm unique (confirm_hash),
         constraint chat_installs_page check ((confirm_hash is null) = (status in ('begun', 'spent'))),
         constraint chat_installs_token check ((token_ciphertext is null) = (status <> 'waiting'))
       )`,
    );
    await queryRunner.query('create index chat_installs_expires_at on chat_installs (expires_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table chat_installs');
  }
}
