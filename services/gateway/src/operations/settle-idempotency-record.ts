import {
  CodedError,
  type InputOf,
  settleIdempotencyRecord as operation,
  validationFailed,
  validationIssues,
} from '@stanza/contracts';
import { audit, type CallContext, handle, type Logger, type Outbox, type Transaction } from '@stanza/runtime';
import { errorAnswer } from '../http/answers.ts';
import { type Answer, jsonType } from '../http/request-context.ts';
import {
  askOwner,
  type BlockedDependencies,
  type BlockedRequest,
  endingOf,
  findBlockedRequest,
} from '../idempotency/blocked-requests.ts';
import { didNothing, keptMsOf } from '../idempotency/decide-claim.ts';
import { completeRecord, freeRecord } from '../store/idempotency-records.ts';

type Given = NonNullable<InputOf<typeof operation>['outcome']>;
type Dependencies = BlockedDependencies & { log: Logger; outbox: Outbox; failureDays: number };

const answerWithReply = ({ operation: { reply, status } }: BlockedRequest, given: object): Answer => {
  const parsed = reply.safeParse(given);
  if (!parsed.success) throw validationFailed(validationIssues(parsed.error.issues));
  return { status, body: JSON.stringify(given) };
};

const answerWithError = ({ record, operation: of }: BlockedRequest, error: CodedError): Answer | undefined =>
  didNothing(error) ? undefined : errorAnswer(error, record.request_id, of);

const givenAnswer = (blocked: BlockedRequest, given: Given): Answer | undefined => {
  if ('reply' in given) return answerWithReply(blocked, given.reply);
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
  switch (report.outcome) {
    case 'nothing':
      return undefined;
    case 'done':
      return answerWithReply(blocked, report.reply);
    case 'refused': {
      const { code, ...facts } = report.error;
      return answerWithError(blocked, new CodedError(code, facts));
    }
    case 'untold': {
      const { id, service } = blocked.operation;
      const message = `The ${service} service cannot tell the outcome of ${id}: give the outcome by hand, or release the key.`;
      throw new CodedError('invalid_state', { message });
    }
  }
};

const keep = (tx: Transaction, failureDays: number, blocked: BlockedRequest, answer: Answer) => {
  const seconds = answer.headers?.['Retry-After'];
  return completeRecord(blocked.tenant, tx, {
    operationId: blocked.record.operation_id,
    status: answer.status,
    contentType: jsonType,
    body: Buffer.from(answer.body),
    retryAfter: seconds === undefined ? null : Number(seconds),
    keptMs: keptMsOf(answer.status, failureDays),
    // A manual outcome charges nothing: any charge of the operation is already final or reversed.
    toConfirm: false,
    settled: true,
  });
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
      const isDone = answer
        ? await keep(tx, failureDays, blocked, answer)
        : await freeRecord(blocked.tenant, tx, operation_id);
      if (!isDone) throw new CodedError('invalid_state', { message: 'The request has just been ended.' });
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
