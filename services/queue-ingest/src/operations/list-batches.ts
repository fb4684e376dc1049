import { cursorAfter, notFound, listBatches as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentBatch } from '../domain/present-queue.ts';
import { pageOfBatches } from '../store/batches.ts';
import { findQueue } from '../store/queues.ts';

/** Lists the batches of a queue, newest first. */
export const listBatches = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { params, query }, tenant }) => {
    if (!(await findQueue(tenant, database, params.id))) throw notFound('queue');
    const page = await pageOfBatches(tenant, database, params.id, query);
    const { offset, limit } = query;
    return {
      data: page.items.map(presentBatch),
      pagination: { offset, limit, total: page.total },
      next_cursor: cursorAfter(page, offset, ({ opened_at, id }) => ({ at: opened_at, id })),
    };
  });
