import { deliverBatch as declaration } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { deferSend } from '../messages/store/deferred-sends.ts';

/** Milliseconds for which a batch is retried after transient errors. */
const patienceMs = 24 * 3_600_000;

/**
 * Accepts a batch, unique by its operation: from here on this service owns its outcome, and sends it in the background. A
 * late repetition finds a batch that is no longer to be sent.
 */
export const deliverBatch = ({ database, tracing }: Pick<Dependencies, 'database' | 'tracing'>) =>
  handle(declaration, async ({ input: { organization_id, environment, batch_id, operation_id } }) => {
    await database.transaction((tx) =>
      deferSend(new Tenant(organization_id, environment), tx, {
        operationId: operation_id,
        origin: 'batch',
        originId: batch_id,
        patienceMs,
        traceparent: tracing.current(),
      }),
    );
    return {};
  });
