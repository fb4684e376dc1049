import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The state of the messages of a transition table. */
const statesOf = (changed: string): string =>
  `select organization_id, environment, id, updated_at, status,
     case when status in ('accepted', 'posting') then deadline_at else lookup_due_at end
   from ${changed}`;

const add = (changed: string): string =>
  `insert into message_states (organization_id, environment, message_id, changed_at, status, due_at)
   ${statesOf(changed)}
   on conflict on constraint message_states_pk do update
   set status = excluded.status, due_at = excluded.due_at`;

const remove = (changed: string): string =>
  `delete from message_states as state
   using ${changed} as message
   where state.organization_id = message.organization_id
     and state.environment = message.environment
     and state.changed_at = message.updated_at
     and state.message_id = message.id`;

/** What follows a write: the transition tables it sees, and what it does. */
const triggers = [
  { event: 'insert', sees: 'new table as added', steps: [add('added')] },
  {
    event: 'update',
    sees: 'old table as removed new table as added',
    steps: [remove('removed'), add('added')],
  },
  { event: 'delete', sees: 'old table as removed', steps: [remove('removed')] },
] as const;

/** What of a message changes lies in a table beside it, which triggers write for processes of every version. */
export class MessageStates1800340000001 implements MigrationInterface {
  readonly name = 'MessageStates1800340000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `create table message_states (
         organization_id uuid not null,
         environment text not null,
         message_id uuid not null,
         changed_at timestamptz(3) not null,
         status text not null,
         due_at timestamptz(3),
         constraint message_states_pk primary key (organization_id, environment, changed_at, message_id)
       ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`,
    );
    await queryRunner.query(
      `create index message_states_unsent on message_states (organization_id, environment, status, message_id)
         where status <> 'sent'`,
    );
    await queryRunner.query(
      `create index message_states_open on message_states (due_at) where status in ('accepted', 'posting')`,
    );
    await queryRunner.query(
      `create index message_states_lookup_due on message_states (due_at)
         where status = 'unknown' and due_at is not null`,
    );
    await queryRunner.query(
      `create index message_states_lookup_turns on message_states (organization_id, due_at)
         where status = 'unknown' and due_at is not null`,
    );
    // The functions have the rights of their owner, so that they look for tables of a session last.
    await queryRunner.query(
      "select set_config('search_path', current_setting('search_path') || ', pg_temp', true)",
    );
    for (const { event, sees, steps } of triggers) {
      // The trigger has the rights of its owner: the service gets its own on the new table after the migrations. It names the
      // search path, since a session may have another. Other ways to a row than its key are off, which Postgres without
      // statistics might take.
      await queryRunner.query(
        `create function message_states_${event}() returns trigger
         language plpgsql
         security definer
         set search_path from current
         set enable_hashjoin = off
         set enable_mergejoin = off
         set enable_seqscan = off
         as $$
         begin
           ${steps.join(';\n')};
           return null;
         end
         $$`,
      );
      await queryRunner.query(
        `create trigger messages_state_${event} after ${event} on messages
         referencing ${sees}
         for each statement execute function message_states_${event}()`,
      );
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { event } of triggers) {
      await queryRunner.query(`drop trigger messages_state_${event} on messages`);
      await queryRunner.query(`drop function message_states_${event}()`);
    }
    await queryRunner.query('drop table message_states');
  }
}
