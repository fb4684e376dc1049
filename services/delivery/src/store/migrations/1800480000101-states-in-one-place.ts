import type { MigrationInterface, QueryRunner } from 'typeorm';
import { statesFunction } from './1800390000000-baseline.ts';
import { writeStates } from './1800460000101-message-state-key.ts';

const replacing = 'create or replace';

/** All rows of a statement have the place of its transaction, which their default would look up for each of them. */
const writeInOnePlace = `insert into message_states
          (organization_id, environment, message_id, changed_at, status, due_at, followed_at)
        select organization_id, environment, id, updated_at, status,
          case when status in ('accepted', 'posting') then deadline_at else lookup_due_at end,
          (select commit_moment(pg_current_xact_id()))
        from added
        on conflict on constraint message_states_pk do update
        set changed_at = excluded.changed_at, status = excluded.status, due_at = excluded.due_at,
          followed_at = excluded.followed_at;`;

/** Looks up the place of a transaction once for the states of all messages that a statement writes. */
export class StatesInOnePlace1800480000101 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    for (const event of ['insert', 'update'])
      await queryRunner.query(statesFunction(event, [writeInOnePlace], replacing));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const event of ['insert', 'update'])
      await queryRunner.query(statesFunction(event, [writeStates], replacing));
  }
}
