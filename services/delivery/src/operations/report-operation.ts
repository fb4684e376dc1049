import * as contracts from '@stanza/contracts';
import { CodedError, sendBulk, sendTemplate } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Parts } from '../parts.ts';
import { answerAgain, isOpen } from '../sending/answer.ts';
import { answerBulkAgain } from '../sending/answer-bulk.ts';
import { findMessagesOf, isSome, type MessagesOf } from '../store/messages.ts';
import { withdrawOperations } from '../store/reservations.ts';

type Report = contracts.ReplyOf<typeof contracts.reportOperation>;

/** How the operations that can be told of answer a repeat, from the rows that they left. */
const answers: Readonly<Record<string, (rows: MessagesOf) => object>> = {
  [sendTemplate.id]: ([row]) => answerAgain(row),
  [sendBulk.id]: answerBulkAgain,
};

const reportOf = (rows: MessagesOf, answer: (rows: MessagesOf) => object): Report => {
  if (rows.some(isOpen)) return { outcome: 'running' };
  try {
    return { outcome: 'done', reply: { ...answer(rows) } };
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
    const answer = answers[operation];
    if (!answer) return { outcome: 'untold' };
    const tenant = new Tenant(organization_id, environment);
    const find = () => findMessagesOf(tenant, database, operation_id);
    const rows = await find();
    if (isSome(rows)) return reportOf(rows, answer);
    await withdrawOperations(database, [{ organization_id, environment, operation_id }], clock.now());
    const late = await find();
    return isSome(late) ? reportOf(late, answer) : { outcome: 'nothing' };
  });
