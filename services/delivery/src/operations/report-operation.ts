import * as contracts from '@stanza/contracts';
import {
  CodedError,
  createScheduledMessage,
  runScheduledMessageNow,
  sendBulk,
  sendTemplate,
  testSendBlocks,
  testSendVersion,
  updateMessage,
} from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { answerBulkAgain } from '../messages/answer-bulk.ts';
import { answerChangeAgain } from '../messages/answer-change.ts';
import { answerKeyedAgain } from '../messages/finish-keyed.ts';
import { findMessagesOf, isSome, type MessagesOf } from '../messages/store/messages.ts';
import { withdrawOperations } from '../messages/store/reservations.ts';
import { answerAgain, isOpen, withoutVersion } from '../messages/verdict.ts';
import { presentDetails, presentRun } from '../schedules/present-scheduled-message.ts';
import { findScheduledMessageMadeBy, scheduleDays } from '../schedules/store/scheduled-messages.ts';
import { findRequestedRun, latestRuns, shownRuns } from '../schedules/store/scheduled-runs.ts';

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

/** How the rows of an operation are found and reported, by operation. */
const findersIn = ({ database }: Pick<Dependencies, 'database'>): Readonly<Record<string, Find>> => {
  /** `answer` makes the answer of a repeat from the rows. */
  const bySending =
    (answer: (rows: MessagesOf) => object): Find =>
    async (tenant, operationId) => {
      const rows = await findMessagesOf(tenant, database, operationId);
      return isSome(rows) ? reportOf(rows, answer) : undefined;
    };
  return {
    [sendTemplate.id]: bySending(([row]) => answerKeyedAgain(row)),
    [testSendVersion.id]: bySending(([row]) => answerAgain(row)),
    [testSendBlocks.id]: bySending(([row]) => withoutVersion(answerAgain(row))),
    [sendBulk.id]: bySending(answerBulkAgain),
    [updateMessage.id]: bySending(([row]) => answerChangeAgain(row)),
    [createScheduledMessage.id]: async (tenant, operationId) => {
      const row = await findScheduledMessageMadeBy(tenant, database, operationId);
      if (!row) return undefined;
      const runs = await latestRuns(tenant, database, row.id, shownRuns);
      return { outcome: 'done', reply: { ...presentDetails(row, runs) } };
    },
    [runScheduledMessageNow.id]: async (tenant, operationId) => {
      const run = await findRequestedRun(tenant, database, operationId);
      return run && { outcome: 'done', reply: { ...presentRun(run) } };
    },
  };
};

/**
 * Reports the outcome of a request with a lost answer, as its repeat would be answered. An operation without rows is
 * first withdrawn and then checked again, so that the report stays true.
 */
export const reportOperation = ({
  database,
  messageDays,
}: Pick<Dependencies, 'database' | 'messageDays'>) => {
  const finders = findersIn({ database });
  return handle(contracts.reportOperation, async ({ input }): Promise<Report> => {
    const { organization_id, environment, operation_id, operation } = input;
    const find = finders[operation];
    if (!find) return { outcome: 'untold' };
    const tenant = new Tenant(organization_id, environment);
    const found = await find(tenant, operation_id);
    if (found) return found;
    await withdrawOperations(database, [{ organization_id, environment, operation_id }]);
    const isOfSchedule = operation === createScheduledMessage.id || operation === runScheduledMessageNow.id;
    const kept_days = isOfSchedule ? scheduleDays : messageDays;
    return (await find(tenant, operation_id)) ?? { outcome: 'nothing', kept_days };
  });
};
