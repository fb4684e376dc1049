import type { Environment, RateName } from '@stanza/contracts';

/**
 * A request that came with an `Idempotency-Key`. Without `completed_at` it is running, or its process died and it stays
 * blocked; with `released_at` an operator lets the next request with the key run again, under the same operation id.
 */
export interface IdempotencyRow {
  organization_id: string;
  environment: Environment;
  /** Id of the operation: keys are apart for each. */
  operation: string;
  key: string;
  /** What makes messages and charges happen once. */
  operation_id: string;
  /** SHA-256 of the request. */
  fingerprint: Buffer;
  /** Of the first request, whose errors carry it in their body. */
  request_id: string;
  actor_id: string;
  claimed_at: Date;
  released_at: Date | null;
  completed_at: Date | null;
  /** An operator gave the outcome. */
  settled: boolean;
  status: number | null;
  content_type: string | null;
  /** Seconds, of a remembered 503. */
  retry_after: number | null;
  /** The answer as it was written. */
  body: Buffer | null;
  /** From then on the key is free again. */
  expires_at: Date | null;
}

/** A remembered answer whose charge is to be confirmed. */
export interface UnconfirmedAnswerRow {
  operation_id: string;
  organization_id: string;
  completed_at: Date;
}

/** The maintenance mode of all gateways. */
export interface MaintenanceRow {
  /** There is one row. */
  id: true;
  is_on: boolean;
  /** What callers are told, where it is not the text of the code. */
  message: string | null;
  /** Seconds. */
  retry_after: number;
  since: Date | null;
}

/** The requests of an organization that count against a rate; see `RateWindow`. */
export interface RateCounterRow {
  organization_id: string;
  rate: RateName;
  newest: number;
  counts: number[];
  /** What the last statement granted, which is how it tells. */
  granted: number;
}
