import { CodedError, releaseIdempotencyRecord as operation } from '@stanza/contracts';
import { audit, handle, type Logger, type Outbox } from '@stanza/runtime';
import {
  askOwner,
  type BlockedDependencies,
  endingOf,
  findBlockedRequest,
} from '../idempotency/blocked-requests.ts';
import { freeRecord, releaseRecord, reopenRecord } from '../store/idempotency-records.ts';

/**
 * Lets a blocked request run again. Under the same operation id, its owner answers from the state left by the first run
 * and neither posts nor charges twice; where the first run left nothing, and never will, the key becomes free.
 */
export const releaseIdempotencyRecord = (
  dependencies: BlockedDependencies & { log: Logger; outbox: Outbox },
) =>
  handle(operation, async ({ input: { operation_id }, context }) => {
    const { database, clock, log, outbox } = dependencies;
    const blocked = await findBlockedRequest(dependencies, operation_id);
    const { outcome } = await askOwner(dependencies, blocked, context);
    const isFree = outcome === 'nothing';
    await database.transaction(async (tx) => {
      const at = clock.now();
      await reopenRecord(blocked.tenant, tx, operation_id);
      const isDone = isFree
        ? await freeRecord(blocked.tenant, tx, operation_id)
        : await releaseRecord(blocked.tenant, tx, operation_id);
      if (!isDone) throw new CodedError('invalid_state', { message: 'The request has just ended.' });
      await audit(tx, outbox, context, {
        ...endingOf(blocked),
        action: 'idempotent_request.released',
        changes: { operation: blocked.operation.id, freed: isFree },
        at,
      });
    });
    log.warn({ operation_id, freed: isFree }, 'an operator released an idempotency key');
    return { result: isFree ? ('freed' as const) : ('released' as const) };
  });
