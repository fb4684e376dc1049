import type { ServiceContext, Tiers } from '@stanza/runtime';

/** The dependencies of the service's operations. */
export interface Dependencies
  extends Pick<ServiceContext<unknown>, 'database' | 'reports' | 'outbox' | 'rpc' | 'clock'> {
  tiers: Pick<Tiers, 'of'>;
}

/** The dependencies of an operation that changes rows and audits the change. */
export type WriteDependencies = Pick<Dependencies, 'database' | 'outbox' | 'clock'>;

/** The dependencies of an operation that stores something new within the limits of the tier. */
export type CreateDependencies = Pick<Dependencies, 'database' | 'outbox' | 'clock' | 'tiers'>;
