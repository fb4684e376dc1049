import * as contracts from '@stanza/contracts';
import { CodedError, createScheduledMessage, sendBulk, sendTemplate } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { answerBulkAgain } from '../messages/answer-bulk.ts';
import { findMessagesOf, isSome, type MessagesOf } from '../messages/store/messages.ts';
import { withdrawOperations } from '../messages/store/reservations.ts';
import { answerAgain, isOpen } from '../messages/verdict.ts';
import { presentDetails } from '../schedules/present-scheduled-message.ts';
import { findScheduledMessageMadeBy } from '../schedules/store/scheduled-messages.ts';
import { latestRuns, shownRuns } from '../schedules/store/scheduled-runs.ts';

type Report = contracts.ReplyOf<typeof contracts.reportOperation>;

type Told = Exclude<Report, { outcome: 'nothing' | 'untold' }>;

const reportOf = (rows: MessagesOf, answer: (rows: MessagesOf) => object): Told => {
  if (rows.some(isOpen)) return { outcome: 'running' };
  try {
    return { outcome: 'done', reply: { ...answer(rows) } };
  } catch (error) {
    if (error instanceof CodedError) return { outcome: 'refused', error: error.toBody() };
    throw error;
  }
};

type Find = (tenant: Tenant, operationId: string) => Promise<Told | undefined>;

/** How what an operation left behind is found and told, by operation. */
const findersIn = ({ database }: Pick<Dependencies, 'database'>): Readonly<Record<string, Find>> => {
  /** `answer` makes the answer to a repeat from the rows. */
  const bySending =
    (answer: (rows: MessagesOf) => object): Find =>
    async (tenant, operationId) => {
      const rows = await findMessagesOf(tenant, database, operationId);
      return isSome(rows) ? reportOf(rows, answer) : undefined;
    };
  return {
    [sendTemplate.id]: bySending(([row]) => answerAgain(row)),
    [sendBulk.id]: bySending(answerBulkAgain),
    [createScheduledMessage.id]: async (tenant, operationId) => {
      const row = await findScheduledMessageMadeBy(tenant, database, operationId);
      if (!row) return undefined;
      const runs = await latestRuns(tenant, database, row.id, shownRuns);
      return { outcome: 'done', reply: { ...presentDetails(row, runs) } };
    },
  };
};

/**
 * Tells what became of a request whose answer got lost, as a repeat of it would be answered. Before it is said that
 * nothing happened that is made true for good, as for reservations: withdrawn, and then looked at again.
 */
export const reportOperation = ({ database }: Pick<Dependencies, 'database'>) => {
  const finders = findersIn({ database });
  return handle(contracts.reportOperation, async ({ input }): Promise<Report> => {
    const { organization_id, environment, operation_id, operation } = input;
    const find = finders[operation];
    if (!find) return { outcome: 'untold' };
    const tenant = new Tenant(organization_id, environment);
    const found = await find(tenant, operation_id);
    if (found) return found;
    await withdrawOperations(database, [{ organization_id, environment, operation_id }]);
    return (await find(tenant, operation_id)) ?? { outcome: 'nothing' };
  });
};
