import type { BatchStatus } from '@stanza/contracts';
import { type Queryable, type Statement, statement, type Tenant } from '@stanza/runtime';

/** An undelivered batch, with its queue. */
export interface ReferringBatch {
  id: string;
  status: BatchStatus;
  queue_id: string;
  queue_name: string;
}

/** References returned to a caller who wants to delete their target. */
const namedBatches = 10;

/** A batch refers to the targets of the policy with which it began, however its queue has changed since. */
const referringBy = (field: 'template_id' | 'destination_id'): Statement<ReferringBatch> =>
  statement<ReferringBatch>(
    `batches-referring-by-${field.replace('_', '-')}`,
    `select batches.id, batches.status, batches.queue_id, queues.name as queue_name
     from batches
     join queues
       on queues.organization_id = batches.organization_id and queues.environment = batches.environment
       and queues.id = batches.queue_id and queues.deleted_at is null
     where batches.organization_id = $1 and batches.environment = $2
       and batches.policy ->> '${field}' = $3::uuid::text
       and batches.status <> 'delivered'
     order by batches.opened_at, batches.id
     limit ${namedBatches}`,
  );

const referringByTemplate = referringBy('template_id');
const referringByDestination = referringBy('destination_id');

const find = (
  { organizationId, environment }: Tenant,
  db: Queryable,
  asked: Statement<ReferringBatch>,
  id: string,
): Promise<ReferringBatch[]> => db.query(asked, [organizationId, environment, id]);

/** The oldest undelivered batches whose digests use a template, including failed ones that may be retried. */
export const batchesOfTemplate = (tenant: Tenant, db: Queryable, id: string): Promise<ReferringBatch[]> =>
  find(tenant, db, referringByTemplate, id);

/** The oldest undelivered batches for a destination, including failed ones that may be retried. */
export const batchesOfDestination = (tenant: Tenant, db: Queryable, id: string): Promise<ReferringBatch[]> =>
  find(tenant, db, referringByDestination, id);
