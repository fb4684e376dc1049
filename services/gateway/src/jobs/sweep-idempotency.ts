import type { Database, Logger } from '@stanza/runtime';
import { sweepExpired } from '../store/idempotency-upkeep.ts';

/** Answers deleted by one statement. */
const batch = 500;

/** Deletes expired answers, in batches. Every gateway does it; row locks keep them apart. */
export const sweepIdempotency =
  ({ database, log }: { database: Database; log: Logger }) =>
  async (signal?: AbortSignal): Promise<number> => {
    let swept = 0;
    for (let last = batch; last === batch && !signal?.aborted; ) {
      last = await sweepExpired(database, batch);
      swept += last;
    }
    if (swept > 0) log.info({ count: swept }, 'expired answers of idempotency keys were deleted');
    return swept;
  };
