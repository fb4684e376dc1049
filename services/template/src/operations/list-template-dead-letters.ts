import { listDeadLetters } from '@stanza/contracts';
import { type ServiceContext, listingDeadLetters } from '@stanza/runtime';

/** Lists work that this service could not do. */
export const listTemplateDeadLetters = (needs: Pick<ServiceContext<unknown>, 'database'>) =>
  listingDeadLetters(listDeadLetters.template, needs);
