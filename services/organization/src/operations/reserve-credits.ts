import { CodedError, reserveCredits as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { createReserve } from '../shared-reservations.ts';

/** Holds credits for the messages of an operation, all or none; a repeat gets the first answer. */
export const reserveCredits = (dependencies: Pick<Dependencies, 'database' | 'metrics'>) => {
  const reserve = createReserve(dependencies);
  return handle(operation, async ({ input }) => {
    const outcome = await reserve(input);
    if (!outcome.reserved) throw new CodedError(outcome.code);
    const { reservation_id, remaining_credits } = outcome;
    return { reservation_id, remaining_credits };
  });
};
