import { CodedError, type InputOf, settleIdempotencyRecord as operation } from '@stanza/contracts';
import { audit, type CallContext, handle, type Logger, type Outbox } from '@stanza/runtime';
import type { Answer } from '../http/request-context.ts';
import {
  askOwner,
  type BlockedDependencies,
  type BlockedRequest,
  endingOf,
  findBlockedRequest,
} from '../idempotency/blocked-requests.ts';
import { answerOf, answerWithError, answerWithReply, endWith } from '../idempotency/lost-answers.ts';
import { reopenRecord } from '../store/idempotency-records.ts';

type Given = NonNullable<InputOf<typeof operation>['outcome']>;
type Dependencies = BlockedDependencies & { log: Logger; outbox: Outbox; failureDays: number };

const givenAnswer = (blocked: BlockedRequest, given: Given): Answer | undefined => {
  if ('reply' in given) return answerWithReply(blocked.operation, given.reply);
  const { code, message } = given;
  return answerWithError(blocked, new CodedError(code, message === undefined ? {} : { message }));
};

/** The answer by the owner's report; undefined when nothing happened and nothing will. */
const trueAnswer = async (
  dependencies: Dependencies,
  blocked: BlockedRequest,
  context: CallContext,
): Promise<Answer | undefined> => {
  const report = await askOwner(dependencies, blocked, context);
  if (report.outcome !== 'untold') return answerOf(blocked, report);
  const { id, service } = blocked.operation;
  const message = `The ${service} service cannot tell the outcome of ${id}: give the outcome by hand, or release the key.`;
  throw new CodedError('invalid_state', { message });
};

/** Ends a blocked request with its actual outcome, or with one given by an operator. */
export const settleIdempotencyRecord = (dependencies: Dependencies) =>
  handle(operation, async ({ input: { operation_id, outcome }, context }) => {
    const { database, log, outbox, clock, failureDays } = dependencies;
    const blocked = await findBlockedRequest(dependencies, operation_id);
    const answer =
      outcome === undefined
        ? await trueAnswer(dependencies, blocked, context)
        : givenAnswer(blocked, outcome);
    await database.transaction(async (tx) => {
      const at = clock.now();
      await reopenRecord(blocked.tenant, tx, operation_id);
      const isDone = await endWith(blocked, tx, answer, failureDays);
      if (!isDone) throw new CodedError('invalid_state', { message: 'The request has just ended.' });
      await audit(tx, outbox, context, {
        ...endingOf(blocked),
        action: 'idempotent_request.settled',
        changes: { operation: blocked.operation.id, status: answer?.status ?? null },
        at,
      });
    });
    log.warn({ operation_id, http_status: answer?.status }, 'an operator settled an idempotency key');
    return answer ? { result: 'completed' as const, status: answer.status } : { result: 'freed' as const };
  });
