import { isErrorCode, metricCatalogue, reportBatch as work } from '@stanza/contracts';
import { consume, Tenant } from '@stanza/runtime';
import type { Dependencies } from './dependencies.ts';
import { endDelivery } from './store/batches.ts';

/**
 * Writes what came of a batch. A report on a delivery that a retry has overtaken changes nothing; one that a message of
 * unknown outcome was found after all turns the batch into delivered.
 */
export const reportBatch = ({ metrics }: Pick<Dependencies, 'metrics'>) => {
  const ended = metrics.counter(metricCatalogue.queues.batchesEnded);
  return consume(work, async (report, tx) => {
    const { status, error } = report;
    const code = error !== undefined && isErrorCode(error) ? error : null;
    const tenant = new Tenant(report.organization_id, report.environment);
    const isFirst = await endDelivery(tenant, tx, report.batch_id, report.operation_id, {
      status,
      error: error === undefined ? null : (code ?? 'internal_error'),
      error_details: report.error_details ?? null,
      message_id: report.message_id ?? null,
      delivery_id: report.delivery_id ?? null,
      credit_log_id: report.credit_log_id ?? null,
    });
    if (isFirst) tx.afterCommit(() => ended.inc({ status, code: code ?? 'none' }));
  });
};
