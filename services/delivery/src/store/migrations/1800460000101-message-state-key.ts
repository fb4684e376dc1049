import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addStates, removeStates, statesFunction } from './1800390000000-baseline.ts';

const replacing = 'create or replace';

const oldKey = 'organization_id, environment, changed_at, message_id';

/**
 * SQL: writes the states of messages that were added or changed. The named constraint finds the row of a message; without
 * statistics, a plan may take another index.
 */
export const writeStates = `insert into message_states (organization_id, environment, message_id, changed_at, status, due_at)
        select organization_id, environment, id, updated_at, status,
          case when status in ('accepted', 'posting') then deadline_at else lookup_due_at end
        from added
        on conflict on constraint message_states_pk do update
        set changed_at = excluded.changed_at, status = excluded.status, due_at = excluded.due_at,
          followed_at = excluded.followed_at;`;

const remove = `delete from message_states as state
        using removed as message
        where state.organization_id = message.organization_id
          and state.environment = message.environment
          and state.message_id = message.id;`;

/**
 * A message has one state, by the key of the message. The moment of the change was part of the key when messages were
 * followed by it: to find the row that a change replaces, Postgres took the index of followed messages as well, and read
 * an entry of every message of the organization.
 */
export class MessageStateKey1800460000101 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table message_states
         drop constraint message_states_pk,
         add constraint message_states_pk primary key using index message_states_key`,
    );
    await queryRunner.query(statesFunction('insert', [writeStates], replacing));
    await queryRunner.query(statesFunction('update', [writeStates], replacing));
    await queryRunner.query(statesFunction('delete', [remove], replacing));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `alter table message_states
         drop constraint message_states_pk,
         add constraint message_states_pk primary key (${oldKey})`,
    );
    await queryRunner.query(
      'create unique index message_states_key on message_states (organization_id, environment, message_id)',
    );
    await queryRunner.query(statesFunction('insert', [addStates], replacing));
    await queryRunner.query(statesFunction('update', [removeStates, addStates], replacing));
    await queryRunner.query(statesFunction('delete', [removeStates], replacing));
  }
}
