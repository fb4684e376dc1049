import { resolveDeadLetter } from '@stanza/contracts';
import { type DeadLetterNeeds, resolvingDeadLetter } from '@stanza/runtime';

/** Does work after all that this service could not do, or gives it up. */
export const resolveOrganizationDeadLetter = (needs: DeadLetterNeeds) =>
  resolvingDeadLetter(resolveDeadLetter.organization, needs);
