import type { Allowances, ServiceContext } from '@stanza/runtime';

/** The dependencies of the service's operations. */
export interface Dependencies
  extends Pick<ServiceContext<unknown>, 'database' | 'reports' | 'outbox' | 'rpc' | 'clock'> {
  allowances: Allowances;
}

/** The dependencies of an operation that changes rows and audits the change. */
export type WriteDependencies = Pick<Dependencies, 'database' | 'outbox' | 'clock'>;

/** The dependencies of an operation that stores something new within what the organization may store. */
export type CreateDependencies = Pick<Dependencies, 'database' | 'outbox' | 'clock' | 'allowances'>;
