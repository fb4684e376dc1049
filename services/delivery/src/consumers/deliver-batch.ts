import { deliverBatch as work } from '@stanza/contracts';
import { consume, Tenant } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { deferSend } from '../store/deferred-sends.ts';

/** Milliseconds for which a batch is tried that only meets passing trouble. */
const patienceMs = 24 * 3_600_000;

/** Takes a batch over: from here on this service owes its outcome, and sends it in its own time. */
export const deliverBatch = ({ clock, tracing }: Pick<Parts, 'clock' | 'tracing'>) =>
  consume(work, async ({ organization_id, environment, batch_id, operation_id }, tx) => {
    const at = clock.now();
    await deferSend(new Tenant(organization_id, environment), tx, {
      operationId: operation_id,
      origin: 'batch',
      originId: batch_id,
      at,
      giveUpAt: new Date(at.getTime() + patienceMs),
      traceparent: tracing.current(),
    });
  });
