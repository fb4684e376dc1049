import type { CreditKind, CreditOperation, LogPlace, Page, UsageGrouping } from '@stanza/contracts';
import { type Queryable, type Statement, statement } from '@stanza/runtime';
import { columnsOf } from '@stanza/runtime/table';
import { type CreditLogEntry, creditLog } from './credit-tables.ts';

/** Filters of a reader; undefined values do not filter. */
export interface CreditLogFilter {
  reach: LedgerReach;
  kind?: CreditKind | undefined;
  operation?: CreditOperation | undefined;
  template_id?: string | undefined;
  actor_id?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

const condition = `organization_id = $1 and created_at >= $2 and created_at < $3 and amount <> 0
     and (kind = $4 or $4::text is null) and (operation = $5 or $5::text is null)
     and (template_id = $6 or $6::uuid is null) and (actor_id = $7 or $7::text is null)
     and (created_at, id) < ($8::timestamptz, $9::uuid)`;

/** The rows to read: those of preview, or all. */
export type LedgerReach = 'preview' | 'all';

/** The environment is a literal and not a parameter, so that the partial index is used. */
const within: Record<LedgerReach, string> = { all: '', preview: "and environment = 'preview'" };

/** The page is found in the index alone, however far back it lies; only its own rows are fetched. */
const pageStatement = (reach: LedgerReach): Statement<CreditLogEntry> =>
  statement(
    `credit-log-page-${reach}`,
    `with page as (
       select created_at, id
       from credit_log
       where ${condition} ${within[reach]}
       order by created_at desc, id desc
       limit $10
       offset $11
     )
     select ${columnsOf(creditLog, 'credit_log')}
     from page
     join credit_log using (id)
     order by credit_log.created_at desc, credit_log.id desc`,
  );

const pageStatements = { all: pageStatement('all'), preview: pageStatement('preview') };

const totalStatement = (reach: LedgerReach): Statement<{ total: number }> =>
  statement(
    `credit-log-count-${reach}`,
    `select count(*) as total
     from credit_log
     where ${condition} ${within[reach]}`,
  );

const totalStatements = { all: totalStatement('all'), preview: totalStatement('preview') };

const earliest = new Date(0);
const latest = new Date('9999-12-31T23:59:59.999Z');
/** No id comes after it. */
const lastId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** A page of an organization's ledger, newest first. */
export const pageOfCreditLog = async (
  database: Queryable,
  organizationId: string,
  filter: CreditLogFilter,
  page: { limit: number; offset: number; before?: LogPlace | undefined },
): Promise<Page<CreditLogEntry>> => {
  const values = [
    organizationId,
    filter.since ?? earliest,
    filter.until ?? latest,
    filter.kind ?? null,
    filter.operation ?? null,
    filter.template_id ?? null,
    filter.actor_id ?? null,
    page.before?.at ?? latest,
    page.before?.id ?? lastId,
  ];
  const items = await database.query(pageStatements[filter.reach], [...values, page.limit, page.offset]);
  const [counted] = await database.query(totalStatements[filter.reach], values);
  return { items, total: counted?.total ?? 0 };
};

/** An amount of use. */
export interface Used {
  charges: number;
  reversals: number;
  credits: number;
}

/** The use of a group; the group is null where its rows have no value. */
export interface UsedByGroup extends Used {
  group: string | null;
}

/** A page of groups and the totals over all of them. */
export interface Usage {
  total: Used;
  groups: Page<UsedByGroup>;
}

type UsageRow = { groups: number; all_charges: number; all_reversals: number; all_credits: number } & (
  | ({ in_page: true } & UsedByGroup)
  | { in_page: null }
);

const usageWithin = (
  reach: LedgerReach,
  name: UsageGrouping,
  expression: string,
  order: string,
): Statement<UsageRow> =>
  statement(
    `usage-by-${name}-${reach}`,
    `with grouped as materialized (
       select ${expression} as "group", count(*) filter (where kind = 'charge') as charges,
         count(*) filter (where kind = 'reversal') as reversals, (-sum(amount))::bigint as credits
       from credit_log
       where organization_id = $1 and created_at >= $2 and created_at < $3 and amount <> 0
         and kind in ('charge', 'reversal') ${within[reach]}
       group by 1
     ), total as (
       select count(*) as groups, coalesce(sum(charges), 0)::bigint as all_charges,
         coalesce(sum(reversals), 0)::bigint as all_reversals, coalesce(sum(credits), 0)::bigint as all_credits
       from grouped
     ), page as (
       select true as in_page, grouped.*
       from grouped
       order by ${order}
       limit $4
       offset $5
     )
     select total.*, page.*
     from total
     left join page on true
     order by ${order}`,
  );

const usageBy = (
  name: UsageGrouping,
  expression: string,
  order: string,
): Record<LedgerReach, Statement<UsageRow>> => ({
  all: usageWithin('all', name, expression, order),
  preview: usageWithin('preview', name, expression, order),
});

const largestFirst = 'credits desc, "group"';

const usageStatements: Record<UsageGrouping, Record<LedgerReach, Statement<UsageRow>>> = {
  day: usageBy('day', "to_char(created_at at time zone 'UTC', 'YYYY-MM-DD')", '"group"'),
  operation: usageBy('operation', 'operation', largestFirst),
  template: usageBy('template', 'template_id::text', largestFirst),
  key: usageBy('key', 'actor_id', largestFirst),
};

/** The use of an organization between two moments, by group; read from one index alone. */
export const usageOf = async (
  database: Pick<Queryable, 'query'>,
  organizationId: string,
  asked: { since: Date; until: Date; by: UsageGrouping; reach: LedgerReach },
  page: { limit: number; offset: number },
): Promise<Usage> => {
  const values = [organizationId, asked.since, asked.until, page.limit, page.offset];
  const rows = await database.query(usageStatements[asked.by][asked.reach], values);
  const [first] = rows;
  const items = rows.flatMap((row) =>
    row.in_page
      ? [{ group: row.group, charges: row.charges, reversals: row.reversals, credits: row.credits }]
      : [],
  );
  return {
    total: {
      charges: first?.all_charges ?? 0,
      reversals: first?.all_reversals ?? 0,
      credits: first?.all_credits ?? 0,
    },
    groups: { items, total: first?.groups ?? 0 },
  };
};
