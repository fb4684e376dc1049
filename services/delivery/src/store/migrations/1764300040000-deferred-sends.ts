import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  // The default serves processes of the previous version, which write during a rollout.
  `alter table messages
     add column origin text not null default 'send'
       constraint messages_origin check (origin in ('send', 'bulk', 'batch', 'schedule')),
     add column origin_id uuid`,
  `create table deferred_sends (
     organization_id uuid not null,
     environment text not null
       constraint deferred_sends_environment check (environment in ('production', 'preview')),
     operation_id uuid not null,
     origin text not null constraint deferred_sends_origin check (origin in ('batch', 'schedule')),
     origin_id uuid not null,
     status text not null constraint deferred_sends_status check (status in ('waiting', 'ended')),
     due_at timestamptz(3) not null,
     give_up_at timestamptz(3) not null,
     tries integer not null default 0,
     error text,
     created_at timestamptz(3) not null,
     ended_at timestamptz(3),
     constraint deferred_sends_pk primary key (organization_id, environment, operation_id),
     constraint deferred_sends_ended check ((ended_at is null) = (status = 'waiting'))
   )`,
  "create index deferred_sends_due_at on deferred_sends (due_at) where status = 'waiting'",
  "create index deferred_sends_ended_at on deferred_sends (ended_at) where status = 'ended'",
];

/** Deferred messages: batches and schedules, which are sent in the background and continue after a crash. */
export class DeferredSends1764300040000 implements MigrationInterface {
  name = 'DeferredSends1764300040000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table deferred_sends');
    await queryRunner.query('alter table messages drop column origin_id, drop column origin');
  }
}
