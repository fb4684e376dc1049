import type { Database, Logger } from '@stanza/runtime';
import type { GatewayMetrics } from '../metrics.ts';
import { findBlocked } from '../store/idempotency-upkeep.ts';

/** Milliseconds without an answer after which a request counts as blocked; longer than any operation takes. */
const blockedAfterMs = 60_000;
/** Blocked requests are counted up to this number, which keeps the measurement cheap. */
const maxCounted = 10_000;

/** Measures the idempotent requests left without an answer, which only an operator can end. */
export const measureBlocked = ({
  database,
  log,
  metrics,
}: {
  database: Database;
  log: Logger;
  metrics: Pick<GatewayMetrics, 'keyedBlocked' | 'keyedBlockedAge'>;
}) => {
  let last = 0;
  return async (): Promise<void> => {
    const { count, oldest_seconds } = await findBlocked(database, blockedAfterMs, maxCounted);
    metrics.keyedBlocked.set(count);
    metrics.keyedBlockedAge.set(oldest_seconds);
    if (count > last) {
      log.warn({ count }, 'idempotent requests are blocked: see "npm run admin -- idempotency list"');
    }
    last = count;
  };
};
