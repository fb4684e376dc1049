import { deliverBatch as work } from '@stanza/contracts';
import { consume, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { deferSend } from './store/deferred-sends.ts';

/** Milliseconds for which a batch is retried after transient errors. */
const patienceMs = 24 * 3_600_000;

/** Accepts a batch: from here on this service owns its outcome, and sends it in the background. */
export const deliverBatch = ({ tracing }: Pick<Dependencies, 'tracing'>) =>
  consume(work, async ({ organization_id, environment, batch_id, operation_id }, tx) => {
    await deferSend(new Tenant(organization_id, environment), tx, {
      operationId: operation_id,
      origin: 'batch',
      originId: batch_id,
      patienceMs,
      traceparent: tracing.current(),
    });
  });
