import type { Delivery, Destination, Environment, ErrorCode } from '@stanza/contracts';

/** Whose a row is. */
interface Owned {
  organization_id: string;
  environment: Environment;
}

/** The fields of a destination that its owner sets and everybody of the organization may read. */
export type DestinationPolicy = Pick<
  Destination,
  | 'name'
  | 'url'
  | 'method'
  | 'auth_type'
  | 'is_active'
  | 'retry_enabled'
  | 'max_retries'
  | 'retry_strategy'
  | 'retry_initial_delay_ms'
  | 'retry_max_delay_ms'
  | 'timeout_ms'
> & { description: string | null };

/** An address outside, with its credentials as they are stored. */
export interface DestinationRow extends Owned, DestinationPolicy {
  id: string;
  /** The request that created it: a repeat finds this row. */
  operation_id: string;
  header_names: string[];
  /** All headers as one JSON object. */
  headers_ciphertext: Buffer;
  headers_key_id: string;
  /** Attempts that failed since the last one that did not. */
  consecutive_failures: number;
  /** Set when failures made it inactive. */
  disabled_at: Date | null;
  secret_ciphertext: Buffer;
  secret_key_id: string;
  /** The secret before a rotation; null when there was none. */
  previous_secret_ciphertext: Buffer | null;
  previous_secret_key_id: string | null;
  previous_secret_until: Date | null;
  created_by: string;
  created_at: Date;
  updated_at: Date;
}

/** A payload on its way to a destination. */
export interface DeliveryRow extends Owned {
  /** The `webhook-id` of each attempt, replays included. */
  id: string;
  /** What ordered it; a repeat of the order adds nothing. */
  operation_id: string;
  destination_id: string;
  origin: Delivery['origin'];
  origin_id: string;
  /** The body as it is signed and sent, byte for byte. */
  payload: string;
  status: Delivery['status'];
  /** When it is tried next; ahead of now while a process is at it. */
  due_at: Date;
  /** From then on a transient error ends it as failed. */
  give_up_at: Date;
  /** Attempts so far, replays included. */
  attempts: number;
  /** Attempts since it was ordered or replayed, which the strategy counts. */
  retries: number;
  error: ErrorCode | null;
  created_at: Date;
  updated_at: Date;
  /** Of the span that ordered it, where there was one. */
  traceparent: string | null;
}

/** An attempt; `begun` from before its first byte until its end is known. */
export interface DeliveryAttemptRow extends Owned {
  delivery_id: string;
  number: number;
  outcome: Delivery['attempts'][number]['outcome'];
  http_status: number | null;
  error: string | null;
  response: string | null;
  latency_ms: number | null;
  started_at: Date;
}
