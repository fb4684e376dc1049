import { Baseline, createKeys, createRuntimeTables, vacuumInbox } from '@stanza/runtime';
import type { QueryRunner } from 'typeorm';

const kinds = [{ kind: 'queue', table: 'queues', deletedAt: 'deleted_at' }] as const;

const tables = `
  create table queues (
    organization_id uuid not null, environment text not null, id uuid not null, operation_id uuid not null,
    name text not null, description text, mode text not null, window_seconds integer,
    max_window_seconds integer, threshold integer, max_wait_seconds integer, template_id uuid,
    channel_id text, recipient_email text, recipient_chat_id text, destination_id uuid,
    is_active boolean not null, created_by text not null, created_at timestamptz(3) not null,
    updated_at timestamptz(3) not null, deleted_at timestamptz(3), on_unknown text not null default 'hold',
    constraint queues_pkey primary key (organization_id, environment, id),
    constraint queues_operation unique (organization_id, environment, operation_id),
    constraint queues_environment check (environment in ('production', 'preview')),
    constraint queues_mode check (mode in ('rolling_window', 'fixed_volume')),
    constraint queues_target check (num_nonnulls(channel_id, recipient_email, recipient_chat_id, destination_id) = 1)
  );
  create table batches (
    organization_id uuid not null, environment text not null, id uuid not null, queue_id uuid not null,
    status text not null, close_reason text, policy json not null, event_count integer not null,
    byte_count integer not null, opened_at timestamptz(3) not null, window_end timestamptz(3) not null,
    latest_end timestamptz(3) not null, closed_at timestamptz(3), live_at timestamptz(3),
    ended_at timestamptz(3), attempt integer not null default 0, operation_id uuid, error text,
    error_details text, message_id uuid, delivery_id uuid, credit_log_id uuid, traceparent text,
    reposts integer not null default 0, left_out json,
    constraint batches_pkey primary key (organization_id, environment, id),
    constraint batches_status check (status in ('collecting', 'ready', 'delivering', 'delivered', 'failed', 'unknown')),
    constraint batches_closed check ((status = 'collecting') = (closed_at is null))
  ) with (fillfactor=70, autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
  create table events (
    organization_id uuid not null, environment text not null, batch_id uuid not null,
    position integer not null, received_at timestamptz(3) not null, id uuid not null, event json not null,
    constraint events_pkey primary key (batch_id, "position", received_at)
  ) partition by range (received_at);
  create table event_keys (
    organization_id uuid not null, environment text not null, queue_id uuid not null, event_key text not null,
    event_id uuid not null, batch_id uuid not null, received_at timestamptz(3) not null,
    constraint event_keys_pkey primary key (organization_id, environment, queue_id, event_key)
  ) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);
  create table daily_events (
    organization_id uuid not null, day date not null, events bigint not null,
    constraint daily_events_pkey primary key (organization_id, day)
  ) with (fillfactor=50, autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000);
  create table pushes (
    organization_id uuid not null, environment text not null, operation_id uuid not null,
    queue_id uuid not null, batch_id uuid not null, event_ids uuid[] not null, batch_status text not null,
    window_end timestamptz(3) not null, event_count integer not null, pushed_at timestamptz(3) not null,
    constraint pushes_pkey primary key (organization_id, environment, operation_id)
  ) with (autovacuum_vacuum_scale_factor=0.02, autovacuum_analyze_scale_factor=0.02);

  create table events_default partition of events default;

  create index queues_created_at on queues (organization_id, environment, created_at, id);
  create index queues_template on queues (organization_id, environment, template_id) where deleted_at is null;
  create index queues_destination on queues (organization_id, environment, destination_id)
    where deleted_at is null;
  create unique index batches_collecting on batches (organization_id, environment, queue_id)
    where status = 'collecting';
  create index batches_due on batches (window_end) where status = 'collecting';
  create index batches_opened_at on batches (organization_id, environment, queue_id, opened_at, id);
  create index batches_delivered on batches (ended_at) where status = 'delivered';
  create index batches_unfinished on batches (status, closed_at)
    where status not in ('collecting', 'delivered');
  create index batches_template on batches (((policy ->> 'template_id')), organization_id, environment)
    where (status <> 'delivered') and ((policy ->> 'template_id') is not null);
  create index batches_destination on batches (((policy ->> 'destination_id')), organization_id, environment)
    where (status <> 'delivered') and ((policy ->> 'destination_id') is not null);
  create index batches_turns on batches (organization_id, window_end) where closed_at is null;
  create index event_keys_received_at on event_keys (received_at);
  create index pushes_pushed_at on pushes (pushed_at);

  alter table batches add constraint batches_queue foreign key (organization_id, environment, queue_id)
    references queues (organization_id, environment, id);

  create function drop_event_partition(day date) returns boolean
    language plpgsql security definer set search_path = queue_ingest, extensions, public set lock_timeout = '200ms' as $$
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
        lock table events in access exclusive mode;
        -- A push may have come between the check and the lock.
        execute format('select exists (select from %I)', name) into is_used;
        if is_used then
          return false;
        end if;
        execute format('drop table %I', name);
        return true;
      exception when lock_not_available then
        return false;
      end
    $$;

  create function make_event_partitions(first_day date, days integer) returns integer
    language plpgsql security definer set search_path = queue_ingest, extensions, public set lock_timeout = '200ms' as $$
      declare
        day date;
        name text;
        made integer := 0;
      begin
        if not pg_try_advisory_xact_lock(hashtext('stanza partitions of events')) then
          return 0;
        end if;
        for day in select generate_series(first_day, first_day + days, interval '1 day')::date loop
          name := 'events_' || to_char(day, 'YYYYMMDD');
          continue when exists (select from pg_inherits where inhrelid = to_regclass(name));
          begin
            execute format('create table if not exists %I (like events including all)', name);
            execute format(
              'alter table events attach partition %I for values from (%L) to (%L)',
              name,
              day::timestamp at time zone 'UTC',
              (day + 1)::timestamp at time zone 'UTC'
            );
          exception
            when lock_not_available then
              return made;
            when check_violation then
              -- The default partition holds events of the day already; they stay there.
              continue;
          end;
          made := made + 1;
        end loop;
        return made;
      end
    $$;

  create function try_drop_event_partition(day date) returns text
    language plpgsql security definer set search_path = queue_ingest, extensions, public set lock_timeout = '200ms' as $$
      declare
        name text := 'events_' || to_char(day, 'YYYYMMDD');
        is_used boolean;
      begin
        if to_regclass(name) is null then
          return 'absent';
        end if;
        execute format('select exists (select from %I)', name) into is_used;
        if is_used then
          return 'used';
        end if;
        lock table events in access exclusive mode;
        -- A push may have come between the check and the lock.
        execute format('select exists (select from %I)', name) into is_used;
        if is_used then
          return 'used';
        end if;
        execute format('drop table %I', name);
        return 'dropped';
      exception when lock_not_available then
        return 'locked';
      end
    $$;
`;

/** The schema of release 0.1.0: queues, batches and events by day. */
export class Baseline1800390000000 extends Baseline {
  readonly name = 'Baseline1800390000000';

  readonly fingerprint = '4f2050f235ace060ec7df36d8f383b92';

  readonly replaces = `
    RuntimeTables1795219300000 Queues1795219400000 Traces1795219500000 Partitions1800030000001
    BatchTemplates1800030000002 BatchDestinations1800030000003 SpentPartitions1800030000004
    Keys1800080000003 Autovacuum1800140000003 OnUnknown1800150000020 Reposts1800150000022
    ClosingTurns1800360000001 InboxVacuum1800360000003 LeftOut1800380000201`;

  async make(queryRunner: QueryRunner): Promise<void> {
    await createRuntimeTables(queryRunner);
    await vacuumInbox(queryRunner);
    await queryRunner.query(tables);
    await createKeys(queryRunner, kinds);
  }
}
