import { confirmCharges as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { confirmOperations } from '../store/charges.ts';

/** Makes charges final. While confirmations cannot be written, unconfirmed charges are not reversed. */
export const confirmCharges = ({
  database,
  clock,
  patience,
}: Pick<Dependencies, 'database' | 'clock' | 'patience'>) =>
  handle(operation, async ({ input }) => {
    try {
      return { confirmed: await confirmOperations(database, input.operation_ids) };
    } catch (error) {
      patience.interrupted(clock.monotonic());
      throw error;
    }
  });
