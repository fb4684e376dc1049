import type { Database, Logger } from '@stanza/runtime';
import { sweepExpired } from '../store/idempotency-upkeep.ts';

/** Answers that one statement deletes. */
const batch = 500;

/** Deletes the answers whose time is over, in batches. Every gateway does it; row locks keep them apart. */
export const sweepIdempotency =
  ({ database, log }: { database: Database; log: Logger }) =>
  async (signal?: AbortSignal): Promise<number> => {
    let swept = 0;
    for (let last = batch; last === batch && !signal?.aborted; ) {
      last = await sweepExpired(database, batch);
      swept += last;
    }
    if (swept > 0) log.info({ count: swept }, 'forgot the answers of idempotency keys whose time was over');
    return swept;
  };
