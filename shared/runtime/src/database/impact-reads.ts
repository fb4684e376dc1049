import { limits } from '@stanza/contracts';
import type { Queryable } from './database.ts';
import { statement } from './statement.ts';
import type { Tenant } from './tenant.ts';

/** What of a template's data an impact looks at; each text is SQL. */
export interface ImpactSource {
  /** The rows: `from …` with its conditions on the tenant, `$1` and `$2`, and the template, `$3`. */
  from: string;
  /** A `with` that `from` reads, without the word. */
  given?: string;
  /** The columns that are answered, and the expressions of those that are not columns of `from`. */
  columns: string;
  expressions?: string;
  /** How a row is ordered, newest first. */
  newest: string;
  /** Bytes of a row's data. */
  bytes: string;
  /** What `from` is counted by, where that is bounded. */
  counted?: string;
}

/** Reads of a template's data. */
export interface ImpactReads<Row> {
  /** The newest rows within the bounds of an impact. */
  newest(tenant: Tenant, db: Queryable, templateId: string): Promise<Row[]>;
  /** How many rows there are. */
  count(tenant: Tenant, db: Queryable, templateId: string): Promise<number>;
}

/** Declares the reads of what an impact looks at, under names that begin alike. */
export const impactReads = <Row extends object>(name: string, source: ImpactSource): ImpactReads<Row> => {
  const { from, given, columns, expressions = columns, newest, bytes, counted = from } = source;
  const before = given === undefined ? '' : `${given}, `;
  const listed = statement<Row>(
    name,
    `with ${before}listed as (
       select ${expressions}, row_number() over newest as place, sum(${bytes}) over newest as bytes
       from ${from}
       window newest as (order by ${newest} rows unbounded preceding)
     )
     select ${columns}
     from listed
     where place <= $4 and bytes <= $5
     order by place`,
  );
  const total = statement<{ total: number }>(
    `${name}-count`,
    `${given === undefined ? '' : `with ${given}`} select count(*) as total from ${counted}`,
  );
  return {
    newest: ({ organizationId, environment }, db, templateId) =>
      db.query(listed, [organizationId, environment, templateId, limits.impactItems, limits.impactBytes]),
    count: async ({ organizationId, environment }, db, templateId) => {
      const [row] = await db.query(total, [organizationId, environment, templateId]);
      return row?.total ?? 0;
    },
  };
};
