import type { CreditOperation } from '@stanza/contracts';
import { type Queryable, statement } from '@stanza/runtime';

/** What was charged to a caller for a template. */
export interface TemplateCaller {
  actor_id: string;
  /** Of a key that is there still. */
  name: string | null;
  operation: CreditOperation;
  count: number;
  last_at: Date;
}

/** The covering index of the ledger has all columns but the name. A template belongs to one environment. */
const callers = statement<TemplateCaller>(
  'template-callers',
  `with grouped as materialized (
     select actor_id, operation, count(*) as count, max(created_at) as last_at
     from credit_log
     where organization_id = $1 and created_at >= $2 and template_id = $3 and kind = 'charge' and amount <> 0
       and actor_id is not null and operation is not null
     group by actor_id, operation
     order by count desc, actor_id, operation
     limit 100
   )
   select grouped.actor_id, api_keys.name, grouped.operation, grouped.count, grouped.last_at
   from grouped
   left join api_keys on api_keys.id::text = grouped.actor_id and api_keys.organization_id = $1
   order by grouped.count desc, grouped.actor_id, grouped.operation`,
);

/** Counts what was charged for a template by caller and operation, the most first; the first hundred. */
export const callersOfTemplate = (
  db: Queryable,
  organizationId: string,
  templateId: string,
  since: Date,
): Promise<TemplateCaller[]> => db.query(callers, [organizationId, since, templateId]);
