import type { Queryable } from './database.ts';
import { type Statement, statement } from './statement.ts';

/** Due rows that are read by their time. While there are fewer, they name every organization that has some. */
const readByTime = 64;
/** Organizations of one walk, at most: no fewer than a look has places for, of which most have 16. */
const walked = 200;

/** Before the first organization. */
const start = '00000000-0000-0000-0000-000000000000';

/** Where due work of many organizations waits. */
export interface DueWorkTable {
  /** Names the statements. */
  name: string;
  /** With a column `organization_id`. */
  table: string;
  /** The column of the time; `due_at` unless given. One index leads by it, another by the organization and it. */
  moment?: string;
  /** Which rows wait. */
  where: string;
}

/**
 * Finds organizations with due work, at a cost that has a bound: no look reads the backlog of one, and each walks over so
 * many at most, those that only wait among them. The oldest due rows name them. Where these are many, the
 * organizations after the last one that was looked at are walked as well, so that each is reached after a few looks,
 * however much another one has due.
 */
export class DueOrganizations {
  readonly #first: Statement<{ organization_id: string }>;
  readonly #next: Statement<{ organization_id: string; is_due: boolean }>;
  #after = start;

  constructor({ name, table, moment = 'due_at', where }: DueWorkTable) {
    this.#first = statement(
      `${name}-due-first`,
      `select organization_id
       from ${table}
       where ${where} and ${moment} <= (select clock_timestamp())
       order by ${moment}
       limit ${readByTime}`,
    );
    this.#next = statement(
      `${name}-due-next`,
      // The first row of an organization in the index is its oldest one, which says whether it has something due.
      `with recursive oldest as (
         (select organization_id, ${moment} as due_at
          from ${table}
          where ${where} and organization_id > $1
          order by organization_id, ${moment}
          limit 1)
         union all
         select next.organization_id, next.due_at
         from oldest
         cross join lateral (
           select organization_id, ${moment} as due_at
           from ${table}
           where ${where} and organization_id > oldest.organization_id
           order by organization_id, ${moment}
           limit 1) as next
       )
       select organization_id, due_at <= (select clock_timestamp()) as is_due
       from oldest
       limit ${walked}`,
    );
  }

  /** Organizations with due work, among them each one in its turn. */
  async find(db: Pick<Queryable, 'query'>): Promise<string[]> {
    const first = await db.query(this.#first);
    const found = new Set(first.map((row) => row.organization_id));
    if (first.length < readByTime) return [...found];
    const next = await db.query(this.#next, [this.#after]);
    const isLap = next.length < walked;
    this.#after = isLap ? start : (next.at(-1)?.organization_id ?? start);
    for (const row of next) if (row.is_due) found.add(row.organization_id);
    return [...found];
  }
}
