import { CodedError, notFound, deleteQueue as operation } from '@stanza/contracts';
import { auditDeletion, handle } from '@stanza/runtime';
import type { WriteDependencies } from '../dependencies.ts';
import { hasUnfinished } from '../store/batches.ts';
import { changeQueue, lockDoomedQueue } from '../store/queues.ts';

/** Deletes a queue without batches open or in flight. No request reaches failed and unknown ones any more. */
export const deleteQueue = ({ database, outbox, clock }: WriteDependencies) =>
  handle(operation, ({ input: { params }, context, tenant }) =>
    database.transaction(async (tx) => {
      const queue = await lockDoomedQueue(tenant, tx, params.id);
      if (!queue) throw notFound('queue');
      if (await hasUnfinished(tenant, tx, queue.id)) {
        throw new CodedError('invalid_state', {
          message:
            'A batch of the queue is open or in flight. Make the queue inactive, flush it, and delete it once the batch is delivered.',
        });
      }
      const at = clock.now();
      await changeQueue(tenant, tx, queue.id, { deleted_at: at, is_active: false });
      const changes = { name: queue.name };
      return auditDeletion(tx, outbox, context, { kind: 'queue', id: queue.id, changes, at });
    }),
  );
