import { reportQueueOperation as operation, pushEvents } from '@stanza/contracts';
import { handle, Tenant } from '@stanza/runtime';
import type { Dependencies } from '../dependencies.ts';
import { presentPush } from '../domain/present-push.ts';
import { answerDays } from '../jobs/keep-house.ts';
import { findAnswerOrWithdraw } from '../store/push-events.ts';

/**
 * Reports the outcome of a push whose answer was lost. One without an answer is withdrawn, so that the report stays
 * true.
 */
export const reportQueueOperation = ({ database }: Pick<Dependencies, 'database'>) =>
  handle(operation, async ({ input: { organization_id, environment, operation_id, operation: id } }) => {
    if (id !== pushEvents.id) return { outcome: 'untold' } as const;
    const pushed = await findAnswerOrWithdraw(
      new Tenant(organization_id, environment),
      database,
      operation_id,
    );
    return pushed === undefined
      ? ({ outcome: 'nothing', kept_days: answerDays } as const)
      : ({ outcome: 'done', reply: presentPush(pushed) } as const);
  });
