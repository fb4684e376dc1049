import { listQueues as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentQueue } from '../domain/present-queue.ts';
import { pageOfQueues } from '../store/queues.ts';

/** Lists the queues of the caller's organization and environment. */
export const listQueues = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { query }, tenant }) => {
    const { key, mode, is_active, limit, offset } = query;
    const { items, total } = await pageOfQueues(tenant, database, {
      key,
      mode,
      is_active: is_active && is_active === 'true',
      limit,
      offset,
    });
    return { data: items.map(presentQueue), pagination: { offset, limit, total } };
  });
