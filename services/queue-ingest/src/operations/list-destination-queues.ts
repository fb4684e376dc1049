import { listDestinationQueues as operation } from '@stanza/contracts';
import { awaitReferences, handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentReferences } from '../domain/present-queue.ts';
import { batchesOfDestination } from '../store/batch-references.ts';
import { queuesOfDestination } from '../store/queues.ts';

/** Lists the queues and batches that deliver to a destination; queues are read first, as for a template. */
export const listDestinationQueues = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, environment, destination_id } }) => {
    const tenant = new Tenant(organization_id, environment);
    await awaitReferences(database, destination_id);
    const queues = await queuesOfDestination(tenant, database, destination_id);
    return presentReferences(queues, await batchesOfDestination(tenant, database, destination_id));
  });
