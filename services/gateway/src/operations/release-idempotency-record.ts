import { CodedError, releaseIdempotencyRecord as operation } from '@stanza/contracts';
import { handle, type Logger } from '@stanza/runtime';
import { askOwner, type BlockedParts, findBlockedRequest } from '../blocked-requests.ts';
import { freeRecord, releaseRecord } from '../store/idempotency-records.ts';

/**
 * Lets a blocked request run again. Under the same operation id, its owner answers from what the first run left and
 * neither posts nor charges twice; where it says that the first left nothing, and never will, the key is free.
 */
export const releaseIdempotencyRecord = (parts: BlockedParts & { log: Logger }) =>
  handle(operation, async ({ input: { operation_id }, context }) => {
    const { database, clock, log } = parts;
    const blocked = await findBlockedRequest(parts, operation_id);
    const { outcome } = await askOwner(parts, blocked, context);
    const isFree = outcome === 'nothing';
    const isDone = isFree
      ? await freeRecord(blocked.tenant, database, operation_id)
      : await releaseRecord(blocked.tenant, database, operation_id, clock.now());
    if (!isDone) throw new CodedError('invalid_state', { message: 'The request has just been ended.' });
    log.warn({ operation_id, freed: isFree }, 'an operator released an idempotency key');
    return { result: isFree ? ('freed' as const) : ('released' as const) };
  });
