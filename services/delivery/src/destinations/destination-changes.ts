import { hostOf } from './destination-origin.ts';
import type { DestinationPolicy, DestinationRow } from './destination-tables.ts';

/** The new values of a destination; undefined leaves a field unchanged. */
export type GivenPolicy = { readonly [K in keyof DestinationPolicy]?: DestinationPolicy[K] | undefined };

/** The given values that differ from those of the row; a repeated change has none. */
export const policyChanges = (row: DestinationRow, given: GivenPolicy): Partial<DestinationPolicy> => {
  const changes: Partial<DestinationPolicy> = {};
  const take = <K extends keyof DestinationPolicy>(key: K, value: DestinationPolicy[K] | undefined) => {
    if (value !== undefined && value !== row[key]) changes[key] = value;
  };
  take('name', given.name);
  take('description', given.description);
  take('url', given.url);
  take('method', given.method);
  take('auth_type', given.auth_type);
  take('is_active', given.is_active);
  take('retry_enabled', given.retry_enabled);
  take('max_retries', given.max_retries);
  take('retry_strategy', given.retry_strategy);
  take('retry_initial_delay_ms', given.retry_initial_delay_ms);
  take('retry_max_delay_ms', given.retry_max_delay_ms);
  take('timeout_ms', given.timeout_ms);
  return changes;
};

/**
 * An address may contain a token in its path or query, and a description is content: the audit log records only that
 * they changed.
 */
const unrecorded: readonly string[] = ['url', 'description'] satisfies (keyof DestinationPolicy)[];

/** Changes in the form of the audit log; a new address is recorded by its old and new host. */
export const auditedPolicy = (
  row: DestinationRow,
  changes: Partial<DestinationPolicy>,
): Record<string, unknown> => {
  const before: Readonly<Record<string, unknown>> = { ...row };
  const recorded = Object.entries(changes).map(([key, to]) => [
    key,
    unrecorded.includes(key) ? 'changed' : { from: before[key], to },
  ]);
  const host = changes.url !== undefined && { from: hostOf(row.url), to: hostOf(changes.url) };
  return { ...Object.fromEntries(recorded), ...(host && { host }) };
};
