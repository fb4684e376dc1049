import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Beside `drop_event_partition`, which processes of the previous version call: its result does not distinguish a
 * partition in use from a locked one.
 */
const tryDrop = `create function try_drop_event_partition(day date) returns text
   language plpgsql security definer set search_path from current set lock_timeout = '200ms' as $body$
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
   $body$`;

/** A function that drops a partition of events, or returns why it did not. */
export class SpentPartitions1800030000004 implements MigrationInterface {
  readonly name = 'SpentPartitions1800030000004';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(tryDrop);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop function try_drop_event_partition');
  }
}
