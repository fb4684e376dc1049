import { CodedError, deleteQueue as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import { queueNotFound } from '../domain/refusals.ts';
import type { Parts } from '../parts.ts';
import { hasUnfinished } from '../store/batches.ts';
import { changeQueue, lockQueue } from '../store/queues.ts';

/** Deletes a queue that has nothing on its way; accepted events are never lost with it. */
export const deleteQueue = ({ database, clock }: Pick<Parts, 'database' | 'clock'>) =>
  handle(operation, ({ input: { params }, tenant }) =>
    database.transaction(async (tx) => {
      const queue = await lockQueue(tenant, tx, params.id);
      if (!queue) throw queueNotFound();
      if (await hasUnfinished(tenant, tx, queue.id)) {
        throw new CodedError('invalid_state', {
          message:
            'A batch of the queue is open or on its way. Make the queue inactive, flush it, and delete it once the batch is delivered.',
        });
      }
      await changeQueue(tenant, tx, queue.id, { deleted_at: clock.now(), is_active: false });
      return { success: true as const, id: queue.id };
    }),
  );
