import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  `create table scheduled_messages (
     organization_id uuid not null,
     environment text not null
       constraint scheduled_messages_environment check (environment in ('production', 'preview')),
     id uuid not null,
     operation_id uuid not null,
     status text not null
       constraint scheduled_messages_status check (status in ('active', 'completed', 'cancelled')),
     template_id uuid not null,
     data json not null,
     strict boolean,
     locale text,
     timezone text,
     channel_id text,
     recipient_email text,
     recipient_chat_id text,
     thread_ts text,
     send_at timestamptz(3),
     cron text,
     catch_up boolean not null,
     next_run_at timestamptz(3),
     created_by text not null,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     ended_at timestamptz(3),
     constraint scheduled_messages_pk primary key (organization_id, environment, id),
     constraint scheduled_messages_once unique (organization_id, environment, operation_id),
     constraint scheduled_messages_recipient
       check (num_nonnulls(channel_id, recipient_email, recipient_chat_id) = 1),
     constraint scheduled_messages_timing check (num_nonnulls(send_at, cron) = 1),
     constraint scheduled_messages_next check ((next_run_at is not null) = (status = 'active')),
     constraint scheduled_messages_ended check ((ended_at is null) = (status = 'active'))
   )`,
  `create index scheduled_messages_template
     on scheduled_messages (organization_id, environment, template_id, id)`,
  `create index scheduled_messages_by_status
     on scheduled_messages (organization_id, environment, status, id)`,
  "create index scheduled_messages_due on scheduled_messages (next_run_at) where status = 'active'",
  `create index scheduled_messages_ended_at on scheduled_messages (ended_at) where ended_at is not null`,
  // No foreign key: a run is written with its schedule locked, and rows are erased table by table.
  `create table scheduled_runs (
     organization_id uuid not null,
     environment text not null
       constraint scheduled_runs_environment check (environment in ('production', 'preview')),
     scheduled_message_id uuid not null,
     due_at timestamptz(3) not null,
     operation_id uuid not null,
     status text not null constraint scheduled_runs_status
       check (status in ('pending', 'sent', 'failed', 'unknown', 'skipped')),
     message_id uuid,
     error text,
     error_details text,
     started_at timestamptz(3) not null,
     ended_at timestamptz(3),
     constraint scheduled_runs_pk primary key (organization_id, environment, scheduled_message_id, due_at),
     constraint scheduled_runs_once unique (organization_id, environment, operation_id),
     constraint scheduled_runs_ended check ((ended_at is null) = (status = 'pending'))
   )`,
  `create index scheduled_runs_ended_at on scheduled_runs (ended_at) where ended_at is not null`,
];

/** Messages that are sent at a time, or repeatedly. */
export class ScheduledMessages1764300500001 implements MigrationInterface {
  name = 'ScheduledMessages1764300500001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table scheduled_runs');
    await queryRunner.query('drop table scheduled_messages');
  }
}
