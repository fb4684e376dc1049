import type { Database, Queryable } from './database.ts';
import { type Statement, statement } from './statement.ts';

/** Rows scanned by one statement: few enough to hold locks briefly and to stay below the statement timeout. */
export const erasureChunk = 2_000;

/** How the rows of an organization are found in a table: in the order of an index, each row scanned once. */
export interface ErasableTable {
  /** Quoted as SQL takes it. */
  name: string;
  /** The index begins with the organization. Otherwise all rows of the table are scanned by primary key. */
  is_led: boolean;
  columns: string[];
  types: string[];
}

const tablesOfOrganizations = statement<Omit<ErasableTable, 'columns'> & { columns: string[] | null }>(
  'erasure-tables',
  `select quote_ident(relname) as name, walk.is_led, walk.columns, walk.types
   from pg_class
   join pg_attribute as owner on owner.attrelid = pg_class.oid and attname = 'organization_id' and not attisdropped
   left join lateral (
     select indkey[0] = owner.attnum as is_led, array_agg(quote_ident(attname) order by place) as columns,
       array_agg(format_type(atttypid, null) order by place) as types
     from pg_index
     cross join unnest(indkey::int2[]) with ordinality as indexed (number, place)
     join pg_attribute on attrelid = indrelid and attnum = number
     where indrelid = pg_class.oid and indisvalid and indpred is null and indexprs is null
       and place <= indnkeyatts
     group by indexrelid, indkey[0], indisprimary, indisunique
     having bool_and(attnotnull) and (indkey[0] = owner.attnum or indisprimary)
     order by indkey[0] = owner.attnum desc, indisprimary desc, indisunique desc, indexrelid
     limit 1
   ) as walk on true
   where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition
   order by relname`,
);

/**
 * The tables of the service's schema that have rows of organizations.
 * @throws an Error that names a table without an index to walk through
 */
export const erasableTables = async (database: Database): Promise<ErasableTable[]> =>
  (await database.query(tablesOfOrganizations)).map(({ columns, ...table }) => {
    if (columns === null)
      throw new Error(`${table.name} has neither a primary key nor an index by organization`);
    return { ...table, columns };
  });

/** The names of the tables that have rows of organizations, quoted as SQL takes them. */
export const tablesWithOrganizations = async (database: Database): Promise<string[]> =>
  (await erasableTables(database)).map((it) => it.name);

/** Result of one statement of an erasure. */
export interface ErasureStep {
  /** Rows of the organization that were scanned. */
  matching: number;
  erased: number;
  /** Key after which the next step continues; null at the end. */
  last: string[] | null;
}

/**
 * Each step continues after the last row of the step before. A step from the first row would scan all deleted rows that
 * are not yet vacuumed.
 */
const stepThrough = (
  { name, is_led, columns, types }: ErasableTable,
  isFirst: boolean,
): Statement<ErasureStep> => {
  const keys = columns.join(', ');
  const after = `(${keys}) > (${types.map((type, at) => `(($2::text[])[${at + 1}])::${type}`).join(', ')})`;
  const conditions = [...(is_led ? ['organization_id = $1'] : []), ...(isFirst ? [] : [after])];
  return statement<ErasureStep>(
    `erase-${isFirst ? 'first' : 'next'}-${name}`.slice(0, 63),
    `with chosen as (
       select tableoid, ctid, row_number() over (order by ${keys}) as place, organization_id = $1 as is_owned,
         array[${columns.map((it) => `${it}::text`).join(', ')}] as key
       from ${name}
       ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}
       order by ${keys}
       limit ${erasureChunk}
     ), erased as (
       delete from ${name}
       where (tableoid, ctid) in (select tableoid, ctid from chosen where is_owned) and organization_id = $1
       returning 1
     )
     select (select count(*) from chosen where is_owned) as matching, (select count(*) from erased) as erased,
       (select key from chosen where place = ${erasureChunk}) as last`,
  );
};

/** Erases the rows of one statement and returns the key to continue after. */
export const eraseStep = async (
  table: ErasableTable,
  db: Queryable,
  organizationId: string,
  after: string[] | null,
): Promise<ErasureStep> => {
  const values = after === null ? [organizationId] : [organizationId, after];
  const [step] = await db.query(stepThrough(table, after === null), values);
  return step ?? { matching: 0, erased: 0, last: null };
};
