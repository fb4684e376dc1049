import { CodedError, type InputOf, notFound, retryBatch as operation } from '@stanza/contracts';
import { audit, handle } from '@stanza/runtime';
import { announce } from '../deliveries.ts';
import type { Dependencies } from '../dependencies.ts';
import { presentBatch } from '../domain/present-queue.ts';
import type { BatchRow, Policy, QueueRow } from '../domain/tables.ts';
import { checkReferences } from '../references.ts';
import { findBatch, lockBatch, retryLocked } from '../store/batches.ts';
import { findQueue, holdQueue, lockQueue } from '../store/queues.ts';

type Asked = InputOf<typeof operation>['body'];

/** What was seen of one attempt says nothing of the next one, which the same request may have made: its answer was lost. */
const checkAttempt = ({ attempt }: BatchRow, asked: number | undefined): void => {
  if (asked === undefined || asked === attempt) return;
  throw new CodedError('invalid_state', {
    message: `The batch is at attempt ${attempt}, not at ${asked}. Nothing was done.`,
  });
};

const check = (batch: BatchRow, { attempt, confirm_not_posted: isConfirmed }: Asked): void => {
  const { status } = batch;
  checkAttempt(batch, attempt);
  if (status === 'failed' || (status === 'unknown' && isConfirmed)) return;
  const message =
    status === 'unknown'
      ? 'The outcome of the batch is unknown. Look where it was to go, and retry with confirm_not_posted true if it is not there.'
      : `Only a failed batch, or one of unknown outcome, can be retried; this one is ${status}.`;
  throw new CodedError('invalid_state', { message });
};

/** The policy of a batch with its queue's current template. */
const withTemplateOf = ({ template_id }: Pick<QueueRow, 'template_id'>, policy: Policy): Policy => {
  if (template_id === null && policy.destination_id === null) {
    throw new CodedError('invalid_state', {
      message: 'The queue has no template now, and the batch goes to a chat, which needs one.',
    });
  }
  return { ...policy, template_id };
};

/** Delivers a batch again, as a new message; a repeat of the operation answers the retry that it began. */
export const retryBatch = ({
  database,
  outbox,
  rpc,
  clock,
}: Pick<Dependencies, 'database' | 'outbox' | 'rpc' | 'clock'>) =>
  handle(operation, async ({ input: { params, body }, context, tenant }) => {
    const before = await findQueue(tenant, database, params.id);
    if (!before) throw notFound('queue');
    const { operationId } = context;
    const asked = await findBatch(tenant, database, params.id, params.batch_id);
    if (asked?.operation_id === operationId) return presentBatch(asked);
    // The queue keeps its template from being deleted, unless it is archived: a retry would fail at once.
    if (body.use_current_template) {
      await checkReferences(rpc, context, tenant, { template_id: before.template_id, destination_id: null });
    }
    return database.transaction(async (tx) => {
      // Locked where its template is read; else pushes to the queue need not wait for a retry.
      const read = body.use_current_template ? lockQueue : holdQueue;
      const queue = await read(tenant, tx, params.id);
      if (!queue) throw notFound('queue');
      const batch = await lockBatch(tenant, tx, params.id, params.batch_id);
      if (!batch) throw notFound('batch');
      if (batch.operation_id === operationId) return presentBatch(batch);
      check(batch, body);
      const policy = body.use_current_template ? withTemplateOf(queue, batch.policy) : batch.policy;
      const retried = await retryLocked(tenant, tx, { id: batch.id, operationId, policy, isRepost: false });
      await announce(outbox, tx, { ...batch, operation_id: operationId });
      await audit(tx, outbox, context, {
        action: 'batch.retried',
        subject: { kind: 'batch', id: batch.id },
        changes: {
          queue_id: batch.queue_id,
          attempt: retried.attempt,
          was: batch.status,
          confirm_not_posted: body.confirm_not_posted,
          ...(policy.template_id !== batch.policy.template_id && {
            template_id: { from: batch.policy.template_id, to: policy.template_id },
          }),
        },
        at: clock.now(),
      });
      return presentBatch(retried);
    });
  });
