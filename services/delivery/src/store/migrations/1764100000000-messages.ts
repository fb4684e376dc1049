import { createRuntimeTables, dropRuntimeTables } from '@stanza/runtime';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const connections = [
  `create table chat_connections (
     organization_id uuid not null,
     environment text not null
       constraint chat_connections_environment check (environment in ('production', 'preview')),
     id uuid not null,
     workspace_id text not null,
     workspace_name text not null,
     bot_user_id text not null,
     token_ciphertext bytea not null,
     token_key_id text not null,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     constraint chat_connections_pk primary key (organization_id, environment)
   )`,
];

const messages = [
  // A row changes three times within seconds: free space on the page keeps the changes beside it.
  `create table messages (
     organization_id uuid not null,
     environment text not null
       constraint messages_environment check (environment in ('production', 'preview')),
     id uuid not null,
     operation_id uuid not null,
     item integer not null constraint messages_item check (item >= 0),
     template_id uuid not null,
     version_id uuid not null,
     version_number integer not null,
     channel_id text,
     recipient_email text,
     recipient_chat_id text,
     thread_ts text,
     workspace_id text not null,
     status text not null
       constraint messages_status check (status in ('accepted', 'posting', 'sent', 'failed', 'unknown')),
     channel text,
     message_ts text,
     error text,
     error_facts json,
     credit_log_id uuid not null,
     charged boolean,
     remaining_credits bigint not null,
     warnings json not null,
     fields_truncated integer not null,
     attempts json not null,
     request_id text not null,
     actor_id text not null,
     deadline_at timestamptz(3) not null,
     posting_at timestamptz(3),
     lookups integer not null default 0,
     lookup_due_at timestamptz(3),
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     constraint messages_pk primary key (organization_id, environment, id),
     constraint messages_once unique (organization_id, environment, operation_id, item),
     constraint messages_recipient check (num_nonnulls(channel_id, recipient_email, recipient_chat_id) = 1),
     constraint messages_settled check ((charged is null) = (status in ('accepted', 'posting'))),
     constraint messages_charged check (status = 'sent' or charged is not true)
   ) with (fillfactor = 80)`,
  'create index messages_template on messages (organization_id, environment, template_id, id)',
  'create index messages_by_status on messages (organization_id, environment, status, id)',
  'create index messages_credit_log on messages (organization_id, environment, credit_log_id)',
  `create index messages_open on messages (deadline_at) where status in ('accepted', 'posting')`,
  'create index messages_lookup_due on messages (lookup_due_at) where lookup_due_at is not null',
];

const coordination = [
  // Changed with every post; values older than a few seconds are meaningless. Unlogged, so that a post need not wait
  // for the disk: a crash of the database resets each channel to a full burst.
  `create unlogged table channel_slots (
     workspace_id text not null,
     channel text not null,
     next_free_at timestamptz not null,
     constraint channel_slots_pk primary key (workspace_id, channel)
   ) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)`,
  'create index channel_slots_next_free_at on channel_slots (next_free_at)',
  `create table withdrawn_operations (
     organization_id uuid not null,
     environment text not null,
     operation_id uuid not null,
     withdrawn_at timestamptz(3) not null,
     constraint withdrawn_operations_pk primary key (organization_id, environment, operation_id)
   )`,
  'create index withdrawn_operations_withdrawn_at on withdrawn_operations (withdrawn_at)',
];

/** Chat connections, the message log, slots of channels, and withdrawn operations. */
export class Messages1764100000000 implements MigrationInterface {
  name = 'Messages1764100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await createRuntimeTables(queryRunner);
    for (const step of [...connections, ...messages, ...coordination]) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table withdrawn_operations, channel_slots, messages, chat_connections');
    await dropRuntimeTables(queryRunner);
  }
}
