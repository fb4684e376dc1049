import { reportBatch as declaration, type InputOf, isErrorCode, metricCatalogue } from '@stanza/contracts';
import { handle, Tenant, type Transaction } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { emitFailed } from '../emit-failed.ts';
import { repostBatch } from '../repost-batch.ts';
import { endDelivery, lockRepostingQueue } from '../store/batches.ts';
import { endShowing } from '../store/live-batches.ts';

type Report = InputOf<typeof declaration>;

/**
 * Writes the outcome of a batch. A report on a superseded delivery changes nothing; a report that a message of unknown
 * outcome was found turns the batch into delivered, and one that it was not found may post it again.
 */
export const reportBatch = (
  dependencies: Pick<Dependencies, 'database' | 'metrics' | 'outbox' | 'clock'>,
) => {
  const { database, metrics, outbox } = dependencies;
  const counted = metrics.counter(metricCatalogue.queues.batchesEnded);
  const countedShown = metrics.counter(metricCatalogue.queues.batchesShown);
  /** What shows a live batch before it closes decides nothing: the next one makes up for it. */
  const endShown = async (tx: Transaction, tenant: Tenant, reported: Report): Promise<void> => {
    const { batch_id: id, operation_id: operationId, status, message_id } = reported;
    const messageId = status === 'delivered' ? message_id : undefined;
    if (!(await endShowing(tenant, tx, { id, operationId, messageId }))) return;
    tx.afterCommit(() => countedShown.inc({ status }));
  };
  const report = async (tx: Transaction, reported: Report): Promise<void> => {
    const { status, error, batch_id, operation_id } = reported;
    const code = error !== undefined && isErrorCode(error) ? error : null;
    const tenant = new Tenant(reported.organization_id, reported.environment);
    // Locked before the batch, as a retry does.
    const isReposted = reported.not_found === true && (await lockRepostingQueue(tenant, tx, batch_id));
    const ended = await endDelivery(tenant, tx, batch_id, operation_id, {
      status,
      error: error === undefined ? null : (code ?? 'internal_error'),
      error_details: reported.error_details ?? null,
      message_id: reported.message_id ?? null,
      delivery_id: reported.delivery_id ?? null,
      credit_log_id: reported.credit_log_id ?? null,
    });
    // The report of the outcome itself may come after this one.
    if (isReposted) await repostBatch(dependencies, tx, tenant, reported);
    if (!ended) return endShown(tx, tenant, reported);
    // A message of unknown outcome has an event of its own, and a delivery has none.
    const isUnknownDelivery = ended.status === 'unknown' && ended.delivery_id !== null;
    if (ended.status === 'failed' || isUnknownDelivery) await emitFailed(outbox, tx, ended);
    tx.afterCommit(() => counted.inc({ status: ended.status, code: code ?? 'none' }));
  };
  return handle(declaration, async ({ input }) => {
    await database.transaction((tx) => report(tx, input));
    return {};
  });
};
