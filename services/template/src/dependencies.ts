import type { ServiceContext } from '@stanza/runtime';

/** What the operations of the service work with. */
export type Dependencies = Pick<ServiceContext<unknown>, 'database' | 'outbox' | 'rpc' | 'clock'>;
