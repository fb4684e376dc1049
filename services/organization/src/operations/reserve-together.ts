import { reserveTogether as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { createReserve } from '../shared-reservations.ts';

/** Holds credits for operations of one organization, for each all or none; a repeat gets the first answer. */
export const reserveTogether = (dependencies: Pick<Dependencies, 'database' | 'metrics'>) => {
  const reserve = createReserve(dependencies);
  return handle(operation, async ({ input: { organization_id, wishes } }) => ({
    outcomes: await Promise.all(wishes.map((wish) => reserve({ organization_id, ...wish }))),
  }));
};
