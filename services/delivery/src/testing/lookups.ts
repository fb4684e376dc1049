import type { Dependencies } from '../dependencies.ts';
import { createLookups } from '../messages/jobs/unknown-messages.ts';

/** Looks up every unknown message that is due, one after the other of an organization, as a process of its own does. */
export const lookUpUnknown = async (dependencies: Dependencies): Promise<void> => {
  const lookups = createLookups(dependencies);
  await lookups.begin();
  await lookups.settled();
};
