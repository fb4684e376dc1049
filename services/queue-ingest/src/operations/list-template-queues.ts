import { listTemplateQueues as operation } from '@stanza/contracts';
import { awaitReferences, handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentReferences } from '../domain/present-queue.ts';
import { batchesOfTemplate } from '../store/batch-references.ts';
import { queuesOfTemplate } from '../store/queues.ts';

/**
 * Lists the queues and batches whose digests use a template. Queues are read first: a batch that began before its queue
 * changed its template exists by then.
 */
export const listTemplateQueues = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, environment, template_id } }) => {
    const tenant = new Tenant(organization_id, environment);
    await awaitReferences(database, template_id);
    const queues = await queuesOfTemplate(tenant, database, template_id);
    return presentReferences(queues, await batchesOfTemplate(tenant, database, template_id));
  });
