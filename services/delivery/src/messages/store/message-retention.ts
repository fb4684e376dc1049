import type { Environment } from '@stanza/contracts';
import { deletion, firstIdDaysAgo, type Queryable, statement, Tenant } from '@stanza/runtime';

// Steps from one tenant to the next over the primary key, however many messages each has.
const selectTenants = statement<{ organization_id: string; environment: Environment }>(
  'message-retention-tenants',
  `with recursive tenants as (
     (select organization_id, environment
      from messages
      order by organization_id, environment
      limit 1)
     union all
     select next.organization_id, next.environment
     from tenants
     cross join lateral (
       select organization_id, environment
       from messages
       where (messages.organization_id, messages.environment) > (tenants.organization_id, tenants.environment)
       order by organization_id, environment
       limit 1) as next
   )
   select organization_id, environment
   from tenants`,
);

/** Every tenant that has messages. */
export const tenantsWithMessages = async (database: Queryable): Promise<Tenant[]> =>
  (await database.query(selectTenants)).map((it) => new Tenant(it.organization_id, it.environment));

// The first message of an operation leads from its idempotency key to the others, so it stays as long as one of them is
// open or unknown. A subquery with a limit is asked row by row; as a condition it might be answered from all messages.
const forgetEnded = deletion('message-retention', {
  from: 'messages',
  where: `organization_id = $1 and environment = $2 and id < ${firstIdDaysAgo('$3::integer')}
         and created_at < (select clock_timestamp()) - $3::integer * interval '1 day'
         and updated_at < (select clock_timestamp()) - $3::integer * interval '1 day'
         and status in ('sent', 'failed', 'deleted')
         and (key_digest is null or item > 0 or (
           select other.id
           from messages as other
           where other.organization_id = doomed.organization_id
             and other.environment = doomed.environment
             and other.operation_id = doomed.operation_id
             and other.status not in ('sent', 'failed', 'deleted')
           limit 1) is null)`,
  orderBy: 'id',
});

/**
 * Deletes a tenant's ended messages, and changes of messages, that are older than the given days; returns their number. A
 * message that has changed since is kept.
 */
export const deleteEndedMessages = (
  database: Queryable,
  { organizationId, environment }: Tenant,
  days: number,
): Promise<number> => forgetEnded(database, [organizationId, environment, days]);
