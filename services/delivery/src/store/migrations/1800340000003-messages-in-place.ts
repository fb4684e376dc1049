import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes over what changes of a message, none of which is read since its state lies beside it. */
const indexes = {
  messages_by_status: 'messages (organization_id, environment, status, id)',
  messages_changes: 'messages (organization_id, environment, updated_at, id)',
  messages_open: "messages (deadline_at) where status in ('accepted', 'posting')",
  messages_lookup_due: 'messages (lookup_due_at) where lookup_due_at is not null',
  messages_lookup_turns: 'messages (organization_id, lookup_due_at) where lookup_due_at is not null',
} as const;

/** The changes of a message are updates in place: no index holds what changes, and pages keep room for them. */
export class MessagesInPlace1800340000003 implements MigrationInterface {
  readonly name = 'MessagesInPlace1800340000003';
  /** An index is dropped and built concurrently with writers outside of a transaction only. */
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const name of Object.keys(indexes))
      await queryRunner.query(`drop index concurrently if exists ${name}`);
    // Of pages that are written from now on.
    await queryRunner.query('alter table messages set (fillfactor = 50)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('alter table messages reset (fillfactor)');
    for (const [name, definition] of Object.entries(indexes))
      await queryRunner.query(`create index if not exists ${name} on ${definition}`);
  }
}
