import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A statement that waits longer than this for a reader of events would block pushes for as long. */
const lockTimeout = '200ms';

/**
 * Same names, arguments and results as before, so that processes of the previous version wait for no reader either. A
 * table is created separately and then attached, which does not block pushes; only the default partition is locked
 * against its readers, and not for longer than the timeout. Blocked by a reader or another replica, the function
 * returns the part that is done; the next run continues.
 */
const mended = [
  `create or replace function make_event_partitions(first_day date, days integer) returns integer
   language plpgsql security definer set search_path from current set lock_timeout = '${lockTimeout}' as $body$
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
   $body$`,
  `create or replace function drop_event_partition(day date) returns boolean
   language plpgsql security definer set search_path from current set lock_timeout = '${lockTimeout}' as $body$
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
   $body$`,
];

const before = [
  `create or replace function make_event_partitions(first_day date, days integer) returns integer
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
  `create or replace function drop_event_partition(day date) returns boolean
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

/** Partitions of events are created and dropped without waiting for readers of events. */
export class Partitions1800030000001 implements MigrationInterface {
  readonly name = 'Partitions1800030000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of mended) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const step of before) await queryRunner.query(step);
  }
}
