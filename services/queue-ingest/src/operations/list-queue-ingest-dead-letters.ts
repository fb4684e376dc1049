import { listDeadLetters } from '@stanza/contracts';
import { listingDeadLetters, type ServiceContext } from '@stanza/runtime';

/** Lists work that this service could not do. */
export const listQueueIngestDeadLetters = (needs: Pick<ServiceContext<unknown>, 'database'>) =>
  listingDeadLetters(listDeadLetters['queue-ingest'], needs);
