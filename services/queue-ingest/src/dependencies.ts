import type { ServiceContext, Tiers } from '@stanza/runtime';

/** The dependencies of the service's operations and jobs. */
export interface Dependencies
  extends Pick<ServiceContext<unknown>, 'database' | 'outbox' | 'rpc' | 'clock' | 'metrics' | 'tracing'> {
  tiers: Tiers;
}

/** The dependencies of an operation that changes rows and audits the change. */
export type WriteDependencies = Pick<Dependencies, 'database' | 'outbox' | 'clock'>;
