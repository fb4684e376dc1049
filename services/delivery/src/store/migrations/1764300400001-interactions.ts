import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  `create table interactions (
     organization_id uuid not null,
     environment text not null
       constraint interactions_environment check (environment in ('production', 'preview')),
     id uuid not null,
     dedupe_key text not null,
     kind text not null constraint interactions_kind check (kind in ('block_actions', 'view_submission')),
     workspace_id text not null,
     user_id text not null,
     user_name text,
     message_id uuid not null,
     template_id uuid not null,
     channel text not null,
     message_ts text not null,
     block_id text,
     action_id text,
     action_type text,
     value json,
     opened_by uuid,
     form json not null,
     kept json not null,
     opening json,
     rest json not null,
     response json,
     request_id text not null,
     created_at timestamptz(3) not null,
     constraint interactions_pk primary key (organization_id, environment, id),
     constraint interactions_once unique (organization_id, environment, dedupe_key)
   )`,
  'create index interactions_message on interactions (organization_id, environment, message_id, id)',
  'create index interactions_created_at on interactions (created_at)',
  `create table interaction_actions (
     organization_id uuid not null,
     environment text not null
       constraint interaction_actions_environment check (environment in ('production', 'preview')),
     interaction_id uuid not null,
     position integer not null,
     type text not null
       constraint interaction_actions_type check (type in ('open_modal', 'call_destination', 'update_message')),
     action json not null,
     message_id uuid not null,
     status text not null
       constraint interaction_actions_status check (status in ('waiting', 'done', 'failed', 'unknown')),
     applied boolean not null default false,
     due_at timestamptz(3) not null,
     tries integer not null default 0,
     delivery_id uuid,
     error text,
     error_details text,
     created_at timestamptz(3) not null,
     ended_at timestamptz(3),
     constraint interaction_actions_pk primary key (organization_id, environment, interaction_id, position),
     constraint interaction_actions_ended check ((ended_at is null) = (status = 'waiting'))
   )`,
  "create index interaction_actions_due_at on interaction_actions (due_at) where status = 'waiting'",
  `create index interaction_actions_message
     on interaction_actions (organization_id, environment, message_id, interaction_id, position)
     where status = 'waiting'`,
  'create index interaction_actions_created_at on interaction_actions (created_at)',
  `create table message_contents (
     organization_id uuid not null,
     environment text not null
       constraint message_contents_environment check (environment in ('production', 'preview')),
     message_id uuid not null,
     blocks json not null,
     text text not null,
     actions json not null,
     context json not null,
     updated_at timestamptz(3) not null,
     constraint message_contents_pk primary key (organization_id, environment, message_id)
   )`,
  'create index message_contents_updated_at on message_contents (updated_at)',
  // The platform identifies a click by the message's key only; its tenant must be found.
  'create index messages_id on messages (id)',
];

/** Interactions and their actions. */
export class Interactions1764300400001 implements MigrationInterface {
  name = 'Interactions1764300400001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop index messages_id');
    for (const table of ['message_contents', 'interaction_actions', 'interactions'])
      await queryRunner.query(`drop table ${table}`);
  }
}
