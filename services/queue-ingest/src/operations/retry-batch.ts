import { CodedError, retryBatch as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import { announce } from '../deliveries.ts';
import { batchNotFound, queueNotFound } from '../domain/refusals.ts';
import { batchResource } from '../domain/resources.ts';
import type { BatchRow } from '../domain/rows.ts';
import type { Parts } from '../parts.ts';
import { changeBatch, findBatch, lockBatch } from '../store/batches.ts';
import { findQueue } from '../store/queues.ts';

const check = ({ status }: BatchRow, isConfirmed: boolean): void => {
  if (status === 'failed' || (status === 'unknown' && isConfirmed)) return;
  const message =
    status === 'unknown'
      ? 'It is not known whether the batch was posted. Look, and retry with confirm_not_posted true if it was not.'
      : `Only a failed batch, or one of unknown outcome, can be retried; this one is ${status}.`;
  throw new CodedError('invalid_state', { message });
};

/** Delivers a batch again, as a new message; the same operation asked again answers the retry it began. */
export const retryBatch = ({ database, outbox, clock }: Pick<Parts, 'database' | 'outbox' | 'clock'>) =>
  handle(operation, ({ input: { params, body }, context, tenant }) =>
    database.transaction(async (tx) => {
      if (!(await findQueue(tenant, tx, params.id))) throw queueNotFound();
      const batch = await lockBatch(tenant, tx, params.id, params.batch_id);
      if (!batch) throw batchNotFound();
      const { operationId: operation_id } = context;
      if (batch.operation_id === operation_id) return batchResource(batch);
      check(batch, body.confirm_not_posted);
      const at = clock.now();
      await changeBatch(tenant, tx, batch.id, {
        status: 'ready',
        attempt: batch.attempt + 1,
        operation_id,
        live_at: at,
        ended_at: null,
        error: null,
        error_details: null,
        message_id: null,
        delivery_id: null,
        credit_log_id: null,
      });
      await announce(outbox, tx, { ...batch, operation_id });
      await audit(tx, outbox, context, {
        action: 'batch.retried',
        subject: { kind: 'batch', id: batch.id },
        changes: {
          queue_id: batch.queue_id,
          attempt: batch.attempt + 1,
          was: batch.status,
          confirm_not_posted: body.confirm_not_posted,
        },
        at,
      });
      const changed = await findBatch(tenant, tx, params.id, batch.id);
      return batchResource(changed ?? batch);
    }),
  );
