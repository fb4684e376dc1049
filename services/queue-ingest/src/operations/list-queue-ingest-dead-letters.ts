import { listDeadLetters } from '@stanza/contracts';
import { type Kit, listingDeadLetters } from '@stanza/runtime';

/** Lists work that this service could not do. */
export const listQueueIngestDeadLetters = (needs: Pick<Kit<unknown>, 'database'>) =>
  listingDeadLetters(listDeadLetters['queue-ingest'], needs);
