import type { Kit } from '@stanza/runtime';

/** What the operations of the service work with. */
export type Parts = Pick<Kit<unknown>, 'database' | 'outbox' | 'rpc' | 'clock'>;
