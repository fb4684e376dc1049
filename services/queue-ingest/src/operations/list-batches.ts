import { notFound, listBatches as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentBatch } from '../domain/present-queue.ts';
import { pageOfBatches } from '../store/batches.ts';
import { findQueue } from '../store/queues.ts';

/** Lists the batches of a queue, newest first. */
export const listBatches = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { params, query }, tenant }) => {
    if (!(await findQueue(tenant, database, params.id))) throw notFound('queue');
    const { items, total } = await pageOfBatches(tenant, database, params.id, query);
    const { offset, limit } = query;
    return { data: items.map(presentBatch), pagination: { offset, limit, total } };
  });
