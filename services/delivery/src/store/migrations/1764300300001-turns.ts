import type { MigrationInterface, QueryRunner } from 'typeorm';

const steps = [
  `create index deferred_sends_turns on deferred_sends (organization_id, due_at)
   where status = 'waiting'`,
  'drop index deferred_sends_due_at',
  `create table method_slots (
     workspace_id text not null,
     method text not null,
     next_free_at timestamptz not null,
     constraint method_slots_pk primary key (workspace_id, method)
   )`,
  'create index method_slots_next_free_at on method_slots (next_free_at)',
];

/** Turns of organizations among waiting messages, and the pace of methods in a workspace. */
export class Turns1764300300001 implements MigrationInterface {
  name = 'Turns1764300300001';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const step of steps) await queryRunner.query(step);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('drop table method_slots');
    await queryRunner.query(
      `create index deferred_sends_due_at on deferred_sends (due_at)
       where status = 'waiting'`,
    );
    await queryRunner.query('drop index deferred_sends_turns');
  }
}
