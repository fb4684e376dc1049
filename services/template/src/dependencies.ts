import type { ServiceContext } from '@stanza/runtime';

/** The dependencies of the service's operations. */
export type Dependencies = Pick<ServiceContext<unknown>, 'database' | 'reports' | 'outbox' | 'rpc' | 'clock'>;

/** The dependencies of an operation that changes rows and audits the change. */
export type WriteDependencies = Pick<Dependencies, 'database' | 'outbox' | 'clock'>;
