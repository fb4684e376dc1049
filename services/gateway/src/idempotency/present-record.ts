import type { IdempotencyRecord } from '@stanza/contracts';
import type { IdempotencyRow } from '../store/tables.ts';

type Facts = Pick<
  IdempotencyRow,
  | 'operation_id'
  | 'organization_id'
  | 'environment'
  | 'operation'
  | 'key'
  | 'request_id'
  | 'actor_id'
  | 'claimed_at'
  | 'released_at'
  | 'completed_at'
  | 'expires_at'
  | 'settled'
  | 'status'
> & { body_bytes: number | null };

const stateOf = ({ completed_at, released_at }: Facts): IdempotencyRecord['state'] => {
  if (completed_at !== null) return 'completed';
  return released_at === null ? 'incomplete' : 'released';
};

/** A record as operators see it: without the answer, which belongs to the customer. */
export const presentRecord = (facts: Facts): IdempotencyRecord => ({
  operation_id: facts.operation_id,
  organization_id: facts.organization_id,
  environment: facts.environment,
  operation: facts.operation,
  key: facts.key,
  state: stateOf(facts),
  request_id: facts.request_id,
  actor_id: facts.actor_id,
  claimed_at: facts.claimed_at.toISOString(),
  completed_at: facts.completed_at?.toISOString() ?? null,
  expires_at: facts.expires_at?.toISOString() ?? null,
  settled: facts.settled,
  status: facts.status,
  body_bytes: facts.body_bytes,
});
