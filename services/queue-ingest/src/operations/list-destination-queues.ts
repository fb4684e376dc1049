import { listDestinationQueues as operation } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { queuesOfDestination } from '../store/queues.ts';

/** Tells which queues deliver to a destination. */
export const listDestinationQueues = ({ database }: Pick<Parts, 'database'>) =>
  handle(operation, async ({ input: { organization_id, environment, destination_id } }) => {
    const tenant = new Tenant(organization_id, environment);
    const queues = await queuesOfDestination(tenant, database, destination_id);
    return { queues: queues.map(({ id, name }) => ({ id, name })) };
  });
