import { notFound, getQueue as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentQueue } from '../domain/present-queue.ts';
import { findKeyedQueue } from '../store/queues.ts';

/** Reads a queue. */
export const getQueue = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { params }, tenant }) => {
    const queue = await findKeyedQueue(tenant, database, { id: params.id });
    if (!queue) throw notFound('queue');
    return presentQueue(queue);
  });
