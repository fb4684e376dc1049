import type { MigrationInterface, QueryRunner } from 'typeorm';
import { placeOfTransaction } from './table.ts';

/** SQL: a function that places a transaction, with the rights of its owner. */
const placing = (
  name: string,
  verb = 'create',
): string => `${verb} function ${name}(transaction xid8) returns timestamptz
     language plpgsql security definer set search_path from current as $body$
     declare
       number bigint := transaction::text::bigint;
       base bigint;
     begin
       select shift into base from commit_order where server_started_at = pg_postmaster_start_time();
       if base is null then
         update commit_order
         set server_started_at = pg_postmaster_start_time(),
           shift = greatest(
             (extract(epoch from clock_timestamp() + interval '30 days') * 1000)::bigint - number, shift + 10000000)
         where server_started_at <> pg_postmaster_start_time();
         select shift into strict base from commit_order;
       end if;
       return to_timestamp((base + number) / 1000.0);
     end
   $body$`;

/**
 * A place in the order in which rows are followed: the number of the transaction that wrote the row, as a moment. A
 * clock may be set back; numbers of transactions only grow, and `pg_snapshot_xmin` says which of them have all ended.
 *
 * A number alone repeats itself: in a restored database, and in a standby that took over without the last transactions.
 * So it is counted from a moment, which is chosen again for each server that writes: at least 30 days ahead of the
 * clock, and ten million numbers ahead of the one before. Each server is told from others by its start. Thereby a place
 * is also later than all moments of clocks by which rows were followed before, and which clients and processes of the
 * previous version still name.
 */
const creation = [
  `create table commit_order (
     only_row boolean primary key default true check (only_row),
     server_started_at timestamptz not null,
     shift bigint not null
   )`,
  "insert into commit_order (server_started_at, shift) values ('-infinity', 0)",
  placing('commit_moment'),
];

/** Creates the function that places rows. A migration of a service whose rows are followed calls it once. */
export const createCommitOrder = async (queryRunner: QueryRunner): Promise<void> => {
  for (const sql of creation) await queryRunner.query(sql);
};

/** Undoes {@link createCommitOrder}. */
export const dropCommitOrder = async (queryRunner: QueryRunner): Promise<void> => {
  await queryRunner.query('drop function commit_moment(xid8)');
  await queryRunner.query('drop table commit_order');
};

/**
 * Has rows placed without a change of rights and search path for each of them, which took 45 µs of the 46 that a place
 * took. Only the first transaction after a start of the server needs the rights of the owner.
 */
export class QuickCommitMoment implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(placing('commit_moment_after_start'));
    const [row]: { name: string }[] = await queryRunner.query('select quote_ident(current_schema()) as name');
    await queryRunner.query(
      `create or replace function commit_moment(transaction xid8) returns timestamptz language plpgsql as $body$
       declare
         base bigint;
       begin
         select shift into base from ${row?.name}.commit_order where server_started_at = pg_postmaster_start_time();
         if base is null then
           return ${row?.name}.commit_moment_after_start(transaction);
         end if;
         return to_timestamp((base + transaction::text::bigint) / 1000.0);
       end
     $body$`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(placing('commit_moment', 'create or replace'));
    await queryRunner.query('drop function commit_moment_after_start(xid8)');
  }
}

/** Adds the column of `followed` to a table. Rows that are there stay without. */
export const addFollowedAt = async (queryRunner: QueryRunner, table: string): Promise<void> => {
  // By the first statement no default fills the rows that are there, which would write the table again.
  await queryRunner.query(`alter table ${table} add column followed_at timestamptz(3)`);
  await queryRunner.query(`alter table ${table} alter column followed_at set default ${placeOfTransaction}`);
};

/** SQL: the place before which nothing comes any more, at the start of the statement. It is read before the rows. */
export const settledPlaceSql = 'commit_moment(pg_snapshot_xmin(pg_current_snapshot()))';
