import {
  type CodedError,
  idempotencyKeyDigest,
  idempotencyOriginalHeader,
  idempotencyReplayedHeader,
} from '@stanza/contracts';
import { Tenant, toCodedError } from '@stanza/runtime';
import { errorAnswer } from '../http/answers.ts';
import {
  type Answer,
  HungUp,
  jsonType,
  keyOf,
  type RequestContext,
  required,
  type Step,
} from '../http/request-context.ts';
import { answerOfTaken, didNothing } from '../idempotency/decide-claim.ts';
import { fingerprintOf } from '../idempotency/fingerprint.ts';
import type { Held, IdempotencyClaims } from '../idempotency/idempotency-claims.ts';
import { type LostAnswers, mayHaveHappened } from '../idempotency/lost-answers.ts';
import type { RateLimits } from '../limits/rate-limits.ts';
import type { GatewayMetrics } from '../metrics.ts';
import type { RememberedAnswer } from '../store/idempotency-answers.ts';
import type { IdempotencyRow } from '../store/tables.ts';

/** The dependencies of the step. */
export interface IdempotencyDependencies {
  keyed: Pick<IdempotencyClaims, 'claim' | 'remember' | 'giveUp'>;
  lostAnswers: Pick<LostAnswers, 'settle' | 'settleTaken'>;
  rates: Pick<RateLimits, 'take'>;
  metrics: Pick<GatewayMetrics, 'keyedClaims'>;
}

const remembered = (answer: Answer): RememberedAnswer => ({
  status: answer.status,
  contentType: jsonType,
  body: Buffer.from(answer.body),
});

const replay = (requestContext: RequestContext, record: IdempotencyRow, fingerprint: Buffer): Answer => {
  const { status, contentType, body } = answerOfTaken(record, fingerprint);
  requestContext.replayOf = record.operation_id;
  return {
    status,
    body,
    headers: {
      'Content-Type': contentType,
      [idempotencyReplayedHeader]: 'true',
      [idempotencyOriginalHeader]: record.request_id,
    },
  };
};

/** Claims the key, or replays the answer of the first request. */
const claim = async (
  requestContext: RequestContext,
  key: string,
  { keyed, lostAnswers, metrics }: IdempotencyDependencies,
): Promise<Held | undefined> => {
  const { operation, context } = requestContext;
  const principal = required(requestContext.principal, 'principal');
  const canonical = required(requestContext.canonical, 'canonical');
  const tenant = Tenant.of(principal);
  const fingerprint = fingerprintOf({ operation: operation.id, ...canonical });
  const { operationId, requestId } = context;
  const wanted = {
    operation: operation.id,
    key,
    operationId,
    fingerprint,
    requestId,
    actorId: principal.actor.id,
  };
  const count = (outcome: string) => metrics.keyedClaims.inc({ operation: operation.id, outcome });
  try {
    let claimed = await keyed.claim(tenant, wanted);
    if (claimed.kind === 'taken' && claimed.record.completed_at === null) {
      const settled = await lostAnswers.settleTaken(claimed.record, operation);
      if (settled === 'ended') claimed = await keyed.claim(tenant, wanted);
    }
    if (claimed.kind === 'taken') {
      requestContext.answer = replay(requestContext, claimed.record, fingerprint);
      requestContext.isRemembered = true;
      count('replayed');
      return undefined;
    }
    count(claimed.isRerun ? 'rerun' : 'claimed');
    context.operationId = claimed.operationId;
    context.keyDigest = idempotencyKeyDigest(principal, key);
    context.isFirst = !claimed.isRerun;
    return { tenant, operationId: claimed.operationId, isRerun: claimed.isRerun };
  } catch (error) {
    count(toCodedError(error).code);
    throw error;
  }
};

const refuse = async (
  requestContext: RequestContext,
  held: Held,
  error: CodedError,
  { keyed, lostAnswers, rates }: IdempotencyDependencies,
): Promise<void> => {
  if (didNothing(error)) return keyed.giveUp(held);
  if (mayHaveHappened(error)) {
    if ((await lostAnswers.settle(held.operationId)) !== 'untold') return;
  } else if (error.status < 500) {
    // It changed nothing either, and is kept for its replay as long as the organization has room.
    const kept = await rates.take(held.tenant.organizationId, 'refusals');
    if (kept?.isGranted === false) return keyed.giveUp(held);
  }
  const answer = errorAnswer(error, requestContext.context.requestId, requestContext);
  await keyed.remember(held, remembered(answer), false);
};

/**
 * Makes a request with an `Idempotency-Key` happen once: claims the key, runs the remaining steps, and stores the
 * answer before it is sent. A crash in between leaves the key without an answer until it is settled.
 */
export const idempotency =
  (dependencies: IdempotencyDependencies, next: Step): Step =>
  async (requestContext: RequestContext) => {
    const key = keyOf(requestContext);
    if (key === undefined) return next(requestContext);
    const held = await claim(requestContext, key, dependencies);
    if (!held) return;
    try {
      await next(requestContext);
    } catch (error) {
      if (error instanceof HungUp) await dependencies.keyed.giveUp(held);
      else await refuse(requestContext, held, toCodedError(error), dependencies);
      throw error;
    }
    await dependencies.keyed.remember(
      held,
      remembered(required(requestContext.answer, 'answer')),
      requestContext.operation.confirmed,
    );
    requestContext.isRemembered = true;
  };
