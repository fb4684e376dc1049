import * as contracts from '@stanza/contracts';
import { CodedError, sendTemplate } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { MessageRow } from '../domain/rows.ts';
import type { Parts } from '../parts.ts';
import { answerAgain } from '../sending/answer.ts';
import { findMessageOf } from '../store/messages.ts';
import { withdrawOperations } from '../store/reservations.ts';

type Report = contracts.ReplyOf<typeof contracts.reportOperation>;

const reportOf = (row: MessageRow): Report => {
  if (row.status === 'accepted' || row.status === 'posting') return { outcome: 'running' };
  try {
    return { outcome: 'done', reply: { ...answerAgain(row) } };
  } catch (error) {
    if (error instanceof CodedError) return { outcome: 'refused', error: error.toBody() };
    throw error;
  }
};

/**
 * Tells what became of a send whose answer got lost, as a repeat of it would be answered. Before it is said that nothing
 * happened that is made true for good, as for reservations: withdrawn, and then looked at again.
 */
export const reportOperation = ({ database, clock }: Pick<Parts, 'database' | 'clock'>) =>
  handle(contracts.reportOperation, async ({ input }): Promise<Report> => {
    const { organization_id, environment, operation_id, operation } = input;
    if (operation !== sendTemplate.id) return { outcome: 'untold' };
    const tenant = new Tenant(organization_id, environment);
    const find = () => findMessageOf(tenant, database, operation_id, 0);
    const row = await find();
    if (row) return reportOf(row);
    await withdrawOperations(database, [{ organization_id, environment, operation_id }], clock.now());
    const late = await find();
    return late ? reportOf(late) : { outcome: 'nothing' };
  });
