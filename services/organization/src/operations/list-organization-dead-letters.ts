import { listDeadLetters } from '@stanza/contracts';
import { listingDeadLetters, type ServiceContext } from '@stanza/runtime';

/** Lists work that this service could not do. */
export const listOrganizationDeadLetters = (needs: Pick<ServiceContext<unknown>, 'database'>) =>
  listingDeadLetters(listDeadLetters.organization, needs);
