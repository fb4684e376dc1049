import { type Destination, maskedValue } from '@stanza/contracts';
import type { BreakerState, Keyed } from '@stanza/runtime';
import type { DestinationRow } from './destination-tables.ts';

const masked = (names: readonly string[]): Destination['headers'] =>
  Object.fromEntries(names.map((name) => [name, maskedValue]));

/** A destination as the API shows it, with the names of its headers only. */
export const presentDestination = (row: Keyed<DestinationRow>, breaker: BreakerState): Destination => ({
  id: row.id,
  organization_id: row.organization_id,
  key: row.key,
  name: row.name,
  ...(row.description !== null && { description: row.description }),
  url: row.url,
  method: row.method,
  headers: masked(row.header_names),
  auth_type: row.auth_type,
  is_active: row.is_active,
  retry_enabled: row.retry_enabled,
  max_retries: row.max_retries,
  retry_strategy: row.retry_strategy,
  retry_initial_delay_ms: row.retry_initial_delay_ms,
  retry_max_delay_ms: row.retry_max_delay_ms,
  timeout_ms: row.timeout_ms,
  created_by: row.created_by,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  consecutive_failures: row.consecutive_failures,
  ...(row.disabled_at && { disabled_at: row.disabled_at.toISOString() }),
  breaker,
});
