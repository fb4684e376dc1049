import {
  type Clock,
  createMetrics,
  createOutbox,
  noTracing,
  silentLogger,
  statement,
  systemClock,
  Tenant,
} from '@stanza/runtime';
import { type TestDatabase, testDatabase } from '@stanza/test-kit/database';
import { v7 } from 'uuid';
import { IdempotencyClaims } from '../idempotency/idempotency-claims.ts';
import { gatewayMetrics } from '../metrics.ts';
import { entities } from '../store/entities.ts';
import type { NewClaim } from '../store/idempotency-records.ts';

/** A clock whose time of day goes on when it is told to; durations are the machine's. */
export class HeldClock implements Clock {
  #now = Date.parse('2026-11-21T08:00:00.000Z');

  now(): Date {
    return new Date(this.#now);
  }

  monotonic(): number {
    return systemClock.monotonic();
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** The gateway's own tables in a database of their own. */
export const openWorld = async () => {
  const clock = new HeldClock();
  const made: TestDatabase = await testDatabase('gateway', { entities, pool: 20, clock });
  const metrics = gatewayMetrics(createMetrics({ service: 'gateway', processMetrics: false }));
  const log = silentLogger();
  let texts = 0;
  return {
    database: made.database,
    outbox: createOutbox({ service: 'gateway', tracing: noTracing, poke: () => undefined }),
    url: made.url,
    clock,
    log,
    metrics,
    keyed: new IdempotencyClaims({ database: made.database, log, metrics, failureDays: 90 }),
    /** For statements of the test's own. */
    rows: <Row extends object>(text: string, values: readonly unknown[] = []) => {
      texts += 1;
      return made.database.query(statement<Row>(`test-${texts}`, text), values);
    },
    close: made.drop,
  };
};

/** See {@link openWorld}. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** An organization that no other test knows. */
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
