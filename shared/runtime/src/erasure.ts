import { type ErasingService, eraseOrganization, organizationErased } from '@stanza/contracts';
import type { Database } from './database/database.ts';
import { isForeignKeyViolation } from './database/faults.ts';
import { statement } from './database/statement.ts';
import type { Kit } from './kit.ts';
import { consume, type WorkConsumer } from './streams/consume.ts';

/** Rows of one statement, so that none holds locks for long. */
const chunk = 2_000;

const tablesOfOrganizations = statement<{ name: string }>(
  'erasure-tables',
  `select quote_ident(relname) as name
   from pg_class
   join pg_attribute on attrelid = pg_class.oid and attname = 'organization_id' and not attisdropped
   where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
   order by relname`,
);

/** The tables of the service's schema that have rows of organizations, quoted as SQL takes them. */
export const tablesWithOrganizations = async (database: Database): Promise<string[]> =>
  (await database.query(tablesOfOrganizations)).map((it) => it.name);

const deletion = (table: string) =>
  statement<{ erased: number }>(
    `erase-${table}`,
    `with chosen as (
       select tableoid, ctid
       from ${table}
       where organization_id = $1
       limit ${chunk}
     ), erased as (
       delete from ${table}
       where (tableoid, ctid) in (select tableoid, ctid from chosen) and organization_id = $1
       returning 1
     )
     select count(*) as erased
     from erased`,
  );

const deadLetters = statement<{ erased: number }>(
  'erase-dead-letters',
  `with erased as (
     delete from dead_letters
     where position($1 in payload) > 0
     returning 1
   )
   select count(*) as erased
   from erased`,
);

/** Deletes from one table; false when rows of others still refer to what is left. */
const eraseTable = async (
  database: Database,
  table: string,
  organizationId: string,
  count: (rows: number) => void,
): Promise<boolean> => {
  for (;;) {
    try {
      const [row] = await database.query(deletion(table), [organizationId]);
      if (!row || row.erased === 0) return true;
      count(row.erased);
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
      return false;
    }
  }
};

/**
 * Erases all rows of an organization from the service's schema, in small steps that may be repeated at will. Tables
 * whose rows are referred to come after those that refer to them, which is found out by trying.
 * @returns how many rows were erased, those that went with others left aside
 */
export const eraseRows = async (
  database: Database,
  organizationId: string,
  except: readonly string[] = [],
): Promise<number> => {
  let rows = 0;
  const count = (more: number): void => {
    rows += more;
  };
  let left = (await tablesWithOrganizations(database)).filter((it) => !except.includes(it));
  while (left.length > 0) {
    const stuck: string[] = [];
    for (const table of left) {
      if (!(await eraseTable(database, table, organizationId, count))) stuck.push(table);
    }
    if (stuck.length === left.length) throw new Error(`rows of ${stuck.join(', ')} refer to each other`);
    left = stuck;
  }
  const [letters] = await database.query(deadLetters, [organizationId]);
  return rows + (letters?.erased ?? 0);
};

/** Does what a service does when an organization was deleted: erases its rows and says so. */
export const eraseOrganizations = (
  service: ErasingService,
  { database, outbox, log }: Pick<Kit<unknown>, 'database' | 'outbox' | 'log'>,
): WorkConsumer =>
  consume(
    eraseOrganization[service],
    async ({ organization_id }, tx) => {
      // Outside the transaction: a big organization takes many small ones, and a repeat finds less to do.
      const rows = await eraseRows(database, organization_id);
      await outbox.add(tx, organizationErased, { organization_id, service, rows });
      log.info({ organization_id, count: rows }, 'an organization was erased');
    },
    { concurrency: 1 },
  );
