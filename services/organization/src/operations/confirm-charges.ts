import { confirmCharges as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { confirmOperations } from '../store/charges.ts';

/** Makes charges final. While confirmations cannot be written, unconfirmed charges are not reversed. */
export const confirmCharges = ({
  database,
  clock,
  confirmationWindow,
}: Pick<Dependencies, 'database' | 'clock' | 'confirmationWindow'>) =>
  handle(operation, async ({ input }) => {
    try {
      return { confirmed: await confirmOperations(database, input.operation_ids) };
    } catch (error) {
      confirmationWindow.interrupted(clock.monotonic());
      throw error;
    }
  });
