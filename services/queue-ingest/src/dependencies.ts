import type { ServiceContext } from '@stanza/runtime';
import type { Tiers } from './tiers.ts';

/** What the operations and jobs of the service work with. */
export interface Dependencies
  extends Pick<ServiceContext<unknown>, 'database' | 'outbox' | 'rpc' | 'clock' | 'metrics' | 'tracing'> {
  tiers: Pick<Tiers, 'of'>;
}
