import { listDeadLetters } from '@stanza/contracts';
import { listingDeadLetters, type ServiceContext } from '@stanza/runtime';

/** Lists work that this service could not do. */
export const listTemplateDeadLetters = (needs: Pick<ServiceContext<unknown>, 'database'>) =>
  listingDeadLetters(listDeadLetters.template, needs);
