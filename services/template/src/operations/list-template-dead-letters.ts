import { listDeadLetters } from '@stanza/contracts';
import { type Kit, listingDeadLetters } from '@stanza/runtime';

/** Lists work that this service could not do. */
export const listTemplateDeadLetters = (needs: Pick<Kit<unknown>, 'database'>) =>
  listingDeadLetters(listDeadLetters.template, needs);
