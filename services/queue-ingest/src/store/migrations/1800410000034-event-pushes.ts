import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Pushes of events as one row each, in partitions by day like single events, and their answers by their first id. The
 * functions for partitions name the table, since both have them until single events are no longer written.
 */
export class EventPushes1800410000034 implements MigrationInterface {
  readonly name = 'EventPushes1800410000034';

  async up(queryRunner: QueryRunner): Promise<void> {
    // The contents are compressed already.
    await queryRunner.query(`
      create table event_pushes (
        organization_id uuid not null, environment text not null, batch_id uuid not null,
        position integer not null, received_at timestamptz(3) not null, event_count integer not null,
        first_id uuid not null, packed bytea storage external not null,
        constraint event_pushes_pkey primary key (batch_id, "position", received_at)
      ) partition by range (received_at);
      create table event_pushes_default partition of event_pushes default;
      alter table pushes add column derived_ids integer;

      create function make_day_partition(parent text, day date) returns boolean
        language plpgsql security definer set search_path = queue_ingest, extensions, public set lock_timeout = '200ms' as $$
          declare
            name text := parent || to_char(day, '"_"YYYYMMDD');
          begin
            if parent not in ('events', 'event_pushes') then
              raise exception '% has no partitions by day', parent;
            end if;
            if not pg_try_advisory_xact_lock(hashtext('stanza partitions of events')) then
              return false;
            end if;
            if exists (select from pg_inherits where inhrelid = to_regclass(name)) then
              return false;
            end if;
            execute format('create table if not exists %I (like %I including all)', name, parent);
            execute format(
              'alter table %I attach partition %I for values from (%L) to (%L)',
              parent,
              name,
              day::timestamp at time zone 'UTC',
              (day + 1)::timestamp at time zone 'UTC'
            );
            return true;
          exception
            -- A reader has the lock, or the default partition holds events of the day already; they stay there.
            when lock_not_available or check_violation then
              return false;
          end
        $$;

      create function drop_day_partition(parent text, day date) returns text
        language plpgsql security definer set search_path = queue_ingest, extensions, public set lock_timeout = '200ms' as $$
          declare
            name text := parent || to_char(day, '"_"YYYYMMDD');
            is_used boolean;
          begin
            if parent not in ('events', 'event_pushes') then
              raise exception '% has no partitions by day', parent;
            end if;
            if to_regclass(name) is null then
              return 'absent';
            end if;
            execute format('select exists (select from %I)', name) into is_used;
            if is_used then
              return 'used';
            end if;
            execute format('lock table %I in access exclusive mode', parent);
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
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      drop function drop_day_partition(text, date);
      drop function make_day_partition(text, date);
      alter table pushes drop column derived_ids;
      drop table event_pushes;
    `);
  }
}
