import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = [
  `create table queues (
     organization_id uuid not null,
     environment text not null
       constraint queues_environment check (environment in ('production', 'preview')),
     id uuid not null,
     operation_id uuid not null,
     name text not null,
     description text,
     mode text not null constraint queues_mode check (mode in ('rolling_window', 'fixed_volume')),
     window_seconds integer,
     max_window_seconds integer,
     threshold integer,
     max_wait_seconds integer,
     template_id uuid,
     channel_id text,
     recipient_email text,
     recipient_chat_id text,
     destination_id uuid,
     is_active boolean not null,
     created_by text not null,
     created_at timestamptz(3) not null,
     updated_at timestamptz(3) not null,
     deleted_at timestamptz(3),
     constraint queues_pkey primary key (organization_id, environment, id),
     constraint queues_operation unique (organization_id, environment, operation_id),
     constraint queues_target
       check (num_nonnulls(channel_id, recipient_email, recipient_chat_id, destination_id) = 1)
   )`,
  'create index queues_created_at on queues (organization_id, environment, created_at, id)',
  // Queues that prevent the deletion of a template or a destination.
  'create index queues_template on queues (organization_id, environment, template_id) where deleted_at is null',
  `create index queues_destination on queues (organization_id, environment, destination_id)
   where deleted_at is null`,
  // Changed with every push: free space on the page keeps its updates off the indexes (HOT).
  `create table batches (
     organization_id uuid not null,
     environment text not null,
     id uuid not null,
     queue_id uuid not null,
     status text not null constraint batches_status
       check (status in ('collecting', 'ready', 'delivering', 'delivered', 'failed', 'unknown')),
     close_reason text,
     policy json not null,
     event_count integer not null,
     byte_count integer not null,
     opened_at timestamptz(3) not null,
     window_end timestamptz(3) not null,
     latest_end timestamptz(3) not null,
     closed_at timestamptz(3),
     live_at timestamptz(3),
     ended_at timestamptz(3),
     attempt integer not null default 0,
     operation_id uuid,
     error text,
     error_details text,
     message_id uuid,
     delivery_id uuid,
     credit_log_id uuid,
     constraint batches_pkey primary key (organization_id, environment, id),
     constraint batches_closed check ((status = 'collecting') = (closed_at is null)),
     constraint batches_queue foreign key (organization_id, environment, queue_id)
       references queues (organization_id, environment, id)
   ) with (fillfactor = 70)`,
  // At most one open batch for each queue.
  `create unique index batches_collecting on batches (organization_id, environment, queue_id)
   where status = 'collecting'`,
  "create index batches_due on batches (window_end) where status = 'collecting'",
  'create index batches_opened_at on batches (organization_id, environment, queue_id, opened_at, id)',
  "create index batches_delivered on batches (ended_at) where status = 'delivered'",
  // Few rows: those in flight, and those that need attention.
  "create index batches_unfinished on batches (status, closed_at) where status not in ('collecting', 'delivered')",
  `create table events (
     organization_id uuid not null,
     environment text not null,
     batch_id uuid not null,
     position integer not null,
     received_at timestamptz(3) not null,
     id uuid not null,
     event json not null,
     constraint events_pkey primary key (batch_id, position, received_at)
   ) partition by range (received_at)`,
  'create table events_default partition of events default',
  // A unique index across partitions would have to include the day, so the keys have their own table.
  `create table event_keys (
     organization_id uuid not null,
     environment text not null,
     queue_id uuid not null,
     event_key text not null,
     event_id uuid not null,
     batch_id uuid not null,
     received_at timestamptz(3) not null,
     constraint event_keys_pkey primary key (organization_id, environment, queue_id, event_key)
   )`,
  'create index event_keys_received_at on event_keys (received_at)',
  `create table daily_events (
     organization_id uuid not null,
     day date not null,
     events bigint not null,
     constraint daily_events_pkey primary key (organization_id, day)
   ) with (fillfactor = 50)`,
  `create table pushes (
     organization_id uuid not null,
     environment text not null,
     operation_id uuid not null,
     queue_id uuid not null,
     batch_id uuid not null,
     event_ids uuid[] not null,
     batch_status text not null,
     window_end timestamptz(3) not null,
     event_count integer not null,
     pushed_at timestamptz(3) not null,
     constraint pushes_pkey primary key (organization_id, environment, operation_id)
   )`,
  'create index pushes_pushed_at on pushes (pushed_at)',
];

/**
 * The service's role owns no table, so partitions are created and dropped by functions that run with the owner's rights
 * and do nothing else. Only roles with usage of the schema can call them.
 */
const functions = [
  `create function make_event_partitions(first_day date, days integer) returns integer
   language plpgsql security definer set search_path from current as $body$
   declare
     day date;
     made integer := 0;
   begin
     for day in select generate_series(first_day, first_day + days, interval '1 day')::date loop
       if to_regclass(format('events_%s', to_char(day, 'YYYYMMDD'))) is null then
         execute format(
           'create table %I partition of events for values from (%L) to (%L)',
           'events_' || to_char(day, 'YYYYMMDD'),
           day::timestamp at time zone 'UTC',
           (day + 1)::timestamp at time zone 'UTC'
         );
         made := made + 1;
       end if;
     end loop;
     return made;
   end
   $body$`,
  `create function drop_event_partition(day date) returns boolean
   language plpgsql security definer set search_path from current as $body$
   declare
     name text := 'events_' || to_char(day, 'YYYYMMDD');
     is_used boolean;
   begin
     if to_regclass(name) is null then
       return false;
     end if;
     execute format('select exists (select from %I)', name) into is_used;
     if is_used then
       return false;
     end if;
     execute format('drop table %I', name);
     return true;
   end
   $body$`,
];

/** Queue policies, batches, events by day, their keys, the daily counters, and the answers of pushes. */
export class Queues1795219400000 implements MigrationInterface {
  readonly name = 'Queues1795219400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of [...tables, ...functions]) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop function make_event_partitions, drop_event_partition');
    await queryRunner.query('drop table pushes, daily_events, event_keys, events, batches, queues');
  }
}
