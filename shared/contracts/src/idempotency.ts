import { createHash } from 'node:crypto';
import type { Environment } from './principal.ts';

/** Header that makes a request happen once. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** Header of an answer that was given before. */
export const idempotencyReplayedHeader = 'Idempotency-Replayed';

/** Header beside it, with the id of the request that was answered first. */
export const idempotencyOriginalHeader = 'Idempotency-Original-Request-Id';

/**
 * What services keep of an `Idempotency-Key`, to find again what was made with it: the key's text is the caller's own,
 * and only the gateway keeps it, for as long as it is in force. The same key of another tenant has another digest.
 */
export const idempotencyKeyDigest = (
  tenant: { organization_id: string; environment: Environment },
  key: string,
): string =>
  createHash('sha256').update(`${tenant.organization_id}\n${tenant.environment}\n${key}`).digest('hex');
