import { createHash } from 'node:crypto';
import type { Environment } from './principal.ts';

/** Header that makes a request happen once. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** Header of a replayed answer. */
export const idempotencyReplayedHeader = 'Idempotency-Replayed';

/** Header of a replayed answer, with the id of the first request. */
export const idempotencyOriginalHeader = 'Idempotency-Original-Request-Id';

/**
 * The stored form of an `Idempotency-Key` in services, by which its results are found: only the gateway stores the
 * caller's text, while the key is in force. The same key of another tenant has another digest.
 */
export const idempotencyKeyDigest = (
  tenant: { organization_id: string; environment: Environment },
  key: string,
): string =>
  createHash('sha256').update(`${tenant.organization_id}\n${tenant.environment}\n${key}`).digest('hex');
