import type { MigrationInterface, QueryRunner } from 'typeorm';

const place = 'coalesce(line.followed_at, line.recorded_at)';

/** SQL: the entries that a seal covers, from the end of the seal before. */
const covered = `line.organization_id = seal.organization_id
       and (${place}, line.id) <= (seal.end_place, seal.end_id)
       and (${place}, line.id) > (
         select coalesce(max(before.end_place), '-infinity'),
           coalesce((array_agg(before.end_id))[1], '00000000-0000-0000-0000-000000000000')
         from audit_seals as before
         where before.organization_id = seal.organization_id and before.number = seal.number - 1
       )`;

/** SQL: the function by which entries go past their retention, with what it counts of each seal. */
export const forgetAudit = (verb: 'create' | 'create or replace', counted: 'step' | '1'): string =>
  `${verb} function forget_audit(days integer, seals integer) returns integer
   language plpgsql security definer set search_path = organization, public, pg_temp
 as $body$
 declare
   bound timestamptz := clock_timestamp() - greatest(days, 30) * interval '1 day';
   seal audit_seals;
   step integer;
   forgotten integer := 0;
 begin
   for seal in
     select * from audit_seals
     where forgotten_at is null and last_recorded_at < bound
     order by organization_id, number
     limit seals
     for update skip locked
   loop
     -- Seals go from the oldest on, and what the service says of their age is looked at.
     continue when exists (
       select from audit_seals as before
       where before.organization_id = seal.organization_id and before.number = seal.number - 1
         and before.forgotten_at is null
     ) or exists (select from audit_log as line where ${covered} and line.recorded_at >= bound);
     delete from audit_log as line where ${covered};
     get diagnostics step = row_count;
     update audit_seals set forgotten_at = clock_timestamp()
     where organization_id = seal.organization_id and number = seal.number;
     -- The last one stays: the next one follows it.
     delete from audit_seals where organization_id = seal.organization_id and number < seal.number;
     forgotten := forgotten + ${counted};
   end loop;
   return forgotten;
 end
 $body$`;

/**
 * Seals over the audit log, and the only ways in which its entries go: by retention, no earlier than after 30 days and
 * a whole seal at a time, and with an organization that is deleted. Both run with the rights of the tables' owner,
 * since the service has none to change or delete an entry or a seal.
 */
const creation = [
  `create table audit_seals (
     organization_id uuid not null, number integer not null, previous_hash text, line_count integer not null,
     end_place timestamptz(3) not null, end_id uuid not null, lines_digest text not null, hash text not null,
     last_recorded_at timestamptz(3) not null, sealed_at timestamptz(3) not null default now(),
     forgotten_at timestamptz(3),
     constraint audit_seals_pk primary key (organization_id, number)
   )`,
  'create index audit_seals_kept on audit_seals (last_recorded_at) where forgotten_at is null',
  forgetAudit('create', 'step'),
  `create function erase_audit(erased uuid, lines integer) returns integer
     language plpgsql security definer set search_path = organization, public, pg_temp
   as $body$
   declare
     step integer;
   begin
     delete from audit_log
     where ctid = any (array(
       select line.ctid
       from audit_log as line
       join organizations on organizations.id = line.organization_id and status = 'deleted'
       where line.organization_id = erased
       limit lines
     ));
     get diagnostics step = row_count;
     return step;
   end
   $body$`,
];

/** See {@link creation}. */
export class AuditSeals1800410000332 implements MigrationInterface {
  readonly appendOnly = ['audit_log', 'audit_seals'];

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of creation) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function erase_audit(uuid, integer)');
    await runner.query('drop function forget_audit(integer, integer)');
    await runner.query('drop table audit_seals');
  }
}
