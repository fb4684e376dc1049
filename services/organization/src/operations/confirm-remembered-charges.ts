import { confirmRememberedCharges as operation } from '@stanza/contracts';
import { handle } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { confirmOperations } from '../store/charges.ts';
import { chargeAgain } from '../store/remembered-charges.ts';

/** Makes charges with stored answers final; those already reversed are charged again. */
export const confirmRememberedCharges = ({
  database,
  clock,
  log,
}: Pick<Dependencies, 'database' | 'clock' | 'log'>) =>
  handle(operation, async ({ input: { answers } }) =>
    database.transaction(async (tx) => {
      const operationIds = answers.map((it) => it.operation_id);
      const confirmed = await confirmOperations(tx, operationIds);
      const { charged_again, lost } = await chargeAgain(tx, answers, clock.now());
      if (lost > 0) log.warn({ count: lost }, 'charges of stored replies could not be repeated');
      return { confirmed, charged_again, lost };
    }),
  );
