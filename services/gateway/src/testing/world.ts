import { createMetrics, silentLogger, Tenant } from '@stanza/runtime';
import { type TestDatabase, testDatabase } from '@stanza/test-kit/database';
import { keptOutbox, rowsIn, SteppedClock } from '@stanza/test-kit/service-world';
import { v7 } from 'uuid';
import { IdempotencyClaims } from '../idempotency/idempotency-claims.ts';
import { gatewayMetrics } from '../metrics.ts';
import { entities } from '../store/entities.ts';
import type { NewClaim } from '../store/idempotency-records.ts';

/** The gateway's own tables in a database of their own. */
export const openWorld = async () => {
  const clock = new SteppedClock();
  const made: TestDatabase = await testDatabase('gateway', { entities, pool: 20, clock });
  const metrics = gatewayMetrics(createMetrics({ service: 'gateway', processMetrics: false }));
  const log = silentLogger();
  return {
    database: made.database,
    outbox: keptOutbox('gateway'),
    url: made.url,
    clock,
    log,
    metrics,
    keyed: new IdempotencyClaims({ database: made.database, log, metrics, failureDays: 90 }),
    /** For the test's own statements. */
    rows: rowsIn(made.database),
    close: made.drop,
  };
};

/** See {@link openWorld}. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** An organization of one test. */
export const newTenant = (environment: 'production' | 'preview' = 'production'): Tenant =>
  new Tenant(v7(), environment);

/** A claim of a key; each call is another request. */
export const claimOf = (more: Partial<NewClaim> = {}): NewClaim => ({
  operation: 'send-template',
  key: 'order 17',
  operationId: v7(),
  fingerprint: Buffer.alloc(32, 1),
  requestId: v7(),
  actorId: 'key',
  ...more,
});

/** The answer of a send that was posted. */
export const sent = {
  success: true,
  message_id: v7(),
  channel: 'C0GENERAL',
  message_ts: '1.2',
  version_id: v7(),
  version_number: 1,
  warnings: [],
  chat_truncation: { fields_truncated: 0 },
  credit_log_id: v7(),
  remaining_credits: 5,
};
