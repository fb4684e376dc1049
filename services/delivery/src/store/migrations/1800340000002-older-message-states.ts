import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages of one transaction. */
const atOnce = 1_000;

interface Place {
  organization_id: string;
  environment: string;
  id: string;
}

const key = 'organization_id, environment, id';

const beforeAll: Place = {
  organization_id: '00000000-0000-0000-0000-000000000000',
  environment: '',
  id: '00000000-0000-0000-0000-000000000000',
};

/** Writes the states of the messages that a condition selects; answers which. Each of them is locked meanwhile, so that its next change finds its state. */
const write = (selection: string, locking: string): string =>
  `with older as materialized (
     select ${key}, updated_at, status, deadline_at, lookup_due_at
     from messages
     where ${selection}
     for no key update ${locking}
   ), written as (
     insert into message_states (organization_id, environment, message_id, changed_at, status, due_at)
     select ${key}, updated_at, status,
       case when status in ('accepted', 'posting') then deadline_at else lookup_due_at end
     from older
     on conflict on constraint message_states_pk do nothing
   )
   select ${key} from older`;

const next = `select ${key} from messages where (${key}) > ($1::uuid, $2::text, $3::uuid) order by ${key} limit ${atOnce}`;
const writeFree = write(
  `(${key}) in (select * from unnest($1::uuid[], $2::text[], $3::uuid[]))`,
  'skip locked',
);
const writeOne = write('organization_id = $1 and environment = $2 and id = $3', '');

/**
 * The states of messages that are older than their table, a few at a time beside everybody's work: each statement is a
 * transaction. Those that somebody has locked are waited for one by one, with nothing held meanwhile. A message that was
 * changed since the table was made has its state. What was interrupted begins again, and finds what is there.
 */
export class OlderMessageStates1800340000002 implements MigrationInterface {
  readonly name = 'OlderMessageStates1800340000002';
  readonly transaction = false;

  async up(queryRunner: QueryRunner): Promise<void> {
    let last: Place | undefined = beforeAll;
    while (last !== undefined) {
      const page: Place[] = await queryRunner.query(next, [last.organization_id, last.environment, last.id]);
      const written: Place[] = await queryRunner.query(writeFree, [
        page.map((it) => it.organization_id),
        page.map((it) => it.environment),
        page.map((it) => it.id),
      ]);
      const free = new Set(written.map((it) => it.id));
      for (const locked of page.filter((it) => !free.has(it.id)))
        await queryRunner.query(writeOne, [locked.organization_id, locked.environment, locked.id]);
      last = page.at(-1);
    }
  }

  /** The table goes with the migration before. */
  async down(): Promise<void> {}
}
