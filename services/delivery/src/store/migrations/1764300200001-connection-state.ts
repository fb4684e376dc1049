import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  // The defaults serve processes of the previous version, which write during a rollout.
  `alter table chat_connections
     add column source text not null default 'token'
       constraint chat_connections_source check (source in ('token', 'install')),
     add column scopes json,
     add column last_checked_at timestamptz(3) not null default now(),
     add column revoked_at timestamptz(3),
     add column refusal text,
     add constraint chat_connections_revoked check ((revoked_at is null) = (refusal is null))`,
  'update chat_connections set last_checked_at = updated_at',
  'create index chat_connections_workspace on chat_connections (workspace_id)',
  'create index chat_connections_key on chat_connections (token_key_id)',
];

/** The source of chat connections, and the state of their tokens. */
export class ConnectionState1764300200001 implements MigrationInterface {
  name = 'ConnectionState1764300200001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index chat_connections_key');
    await queryRunner.query('drop index chat_connections_workspace');
    await queryRunner.query(
      `alter table chat_connections
         drop column refusal,
         drop column revoked_at,
         drop column last_checked_at,
         drop column scopes,
         drop column source`,
    );
  }
}
