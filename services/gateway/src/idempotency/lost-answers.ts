import {
  CodedError,
  type HttpOperation,
  httpOperations,
  validationFailed,
  validationIssues,
} from '@stanza/contracts';
import { type Logger, newContext, type Queryable, RpcFailure, Tenant } from '@stanza/runtime';
import { errorAnswer } from '../http/answers.ts';
import { type Answer, jsonType } from '../http/request-context.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { completeRecord } from '../store/idempotency-answers.ts';
import { type AgedRecord, findRecord, freeRecord, releaseRecord } from '../store/idempotency-records.ts';
import { findUnanswered } from '../store/idempotency-upkeep.ts';
import {
  type BlockedDependencies,
  type BlockedRequest,
  type Report,
  reportFrom,
  runsAgain,
} from './blocked-requests.ts';
import { didNothing, keptMsOf, mayBeRunning } from './decide-claim.ts';

/** The owner is asked before the error is answered, so it has little time; the job asks again. */
const askMs = 2_000;
const keyedOperations = httpOperations.filter(({ idempotent }) => idempotent).map(({ id }) => id);
/** Requests of one round of the job. */
const batch = 100;
/** Requests of which a process remembers that they have ended, or that no owner can report them. */
const maxNoted = 10_000;

/**
 * Whether a request may have happened although its answer is a failure: the answer was lost, or the service ended in a
 * surprise. The services that know the outcome are asked; the error alone says nothing.
 */
export const mayHaveHappened = (error: CodedError): boolean =>
  !didNothing(error) &&
  (error.cause instanceof RpcFailure ||
    error.code === 'service_unavailable' ||
    error.code === 'internal_error');

/** The reply of an operation as its answer. @throws CodedError `validation_failed` where it is none of this operation */
export const answerWithReply = ({ reply, status }: HttpOperation, given: object): Answer => {
  const parsed = reply.safeParse(given);
  if (!parsed.success) throw validationFailed(validationIssues(parsed.error.issues));
  return { status, body: JSON.stringify(given) };
};

/** An error as the answer of a request; undefined where it says that nothing was done. */
export const answerWithError = (
  { record, operation }: BlockedRequest,
  error: CodedError,
): Answer | undefined =>
  didNothing(error) ? undefined : errorAnswer(error, record.request_id, { operation });

/** The true answer by the report of its owner; undefined when nothing happened and nothing will. */
export const answerOf = (
  blocked: BlockedRequest,
  report: Exclude<Report, { outcome: 'running' | 'untold' | 'forgotten' }>,
): Answer | undefined => {
  if (report.outcome === 'nothing') return undefined;
  if (report.outcome === 'done') return answerWithReply(blocked.operation, report.reply);
  const { code, ...facts } = report.error;
  return answerWithError(blocked, new CodedError(code, facts));
};

/** Stores the true answer of a request, or frees its key where there is none; false when it has just been ended. */
export const endWith = (
  { tenant, record }: BlockedRequest,
  db: Queryable,
  answer: Answer | undefined,
  failureDays: number,
): Promise<boolean> => {
  const { operation_id: operationId } = record;
  if (answer === undefined) return freeRecord(tenant, db, operationId);
  return completeRecord(tenant, db, {
    operationId,
    status: answer.status,
    contentType: jsonType,
    body: Buffer.from(answer.body),
    keptMs: keptMsOf(answer.status, failureDays),
    // Nothing is charged: any charge of the operation is final already or reversed.
    toConfirm: false,
    settled: true,
  });
};

/** {@link answerOf}; a report that another version has written otherwise is for an operator. */
const readReport = (
  blocked: BlockedRequest,
  report: Parameters<typeof answerOf>[1],
  log: Logger,
): Answer | undefined | 'unreadable' => {
  try {
    return answerOf(blocked, report);
  } catch (err) {
    const { operation_id } = blocked.record;
    log.error({ err, operation_id }, 'outcome of a keyed request does not match its operation');
    return 'unreadable';
  }
};

/** The dependencies of settling lost answers. */
export interface LostAnswersDependencies extends Pick<BlockedDependencies, 'database' | 'rpc'> {
  log: Logger;
  metrics: Pick<GatewayMetrics, 'keyedEnds'>;
  failureDays: number;
}

/** What is known of a request now: it has its true answer or none, it may still get one, or nobody can report it. */
export type Settled = 'ended' | 'open' | 'untold';

const note = (set: Set<string>, operationId: string): void => {
  if (set.size >= maxNoted) set.clear();
  set.add(operationId);
};

/**
 * Requests whose answer was lost. No guess is stored as their answer: the service that ran them is asked, at once, at a
 * repeat, or by a job. Where it keeps no outcomes the request runs again under its first operation id. What it cannot report
 * stays blocked for an operator.
 */
export class LostAnswers {
  readonly #dependencies: LostAnswersDependencies;
  readonly #untold = new Set<string>();
  /** Requests whose call has ended here: they cannot be running, however young they are. */
  readonly #ended = new Set<string>();

  constructor(dependencies: LostAnswersDependencies) {
    this.#dependencies = dependencies;
  }

  /** Settles a request whose call has ended without a true answer. */
  async settle(operationId: string): Promise<Settled> {
    const { database, log } = this.#dependencies;
    note(this.#ended, operationId);
    try {
      const record = await findRecord(database, operationId);
      const isOpen = record !== undefined && record.completed_at === null;
      const settled = isOpen ? await this.#settle(record) : 'ended';
      if (settled !== 'open') this.#ended.delete(operationId);
      return settled;
    } catch (err) {
      log.warn({ err, operation_id: operationId }, 'outcome of a keyed request still unknown');
      return 'open';
    }
  }

  /** Settles the request that holds a key, once it cannot be running any longer. */
  async settleTaken(record: AgedRecord, { deadlineMs }: HttpOperation): Promise<Settled> {
    if (record.completed_at !== null) return 'ended';
    const isRunning = !this.#ended.has(record.operation_id) && mayBeRunning(record, deadlineMs);
    return isRunning ? 'open' : await this.settle(record.operation_id);
  }

  /** Settles the oldest requests without an answer; for a job. */
  async settleAll(): Promise<void> {
    const { database } = this.#dependencies;
    const open = await findUnanswered(database, keyedOperations, [...this.#untold], batch);
    for (const record of open) {
      const operation = httpOperations.find(({ id }) => id === record.operation);
      if (operation === undefined) continue;
      if ((await this.settleTaken(record, operation)) === 'untold') note(this.#untold, record.operation_id);
    }
  }

  async #settle(record: AgedRecord): Promise<Settled> {
    const { database, log, metrics, failureDays } = this.#dependencies;
    const operation = httpOperations.find(({ id }) => id === record.operation);
    if (operation === undefined) return 'untold';
    const blocked = { record, operation, tenant: new Tenant(record.organization_id, record.environment) };
    if (runsAgain(operation)) return this.#release(blocked);
    const report = await this.#report(blocked);
    if (report.outcome === 'running') return 'open';
    if (report.outcome === 'untold' || report.outcome === 'forgotten') return 'untold';
    const answer = readReport(blocked, report, log);
    if (answer === 'unreadable') return 'untold';
    if (await endWith(blocked, database, answer, failureDays)) {
      metrics.keyedEnds.inc({ outcome: 'settled' });
      log.info(
        { operation_id: record.operation_id, http_status: answer?.status },
        'outcome of a keyed request found after a lost reply',
      );
    }
    return 'ended';
  }

  /** Lets the next request with the key run the operation, under its first id. */
  async #release({ tenant, record }: BlockedRequest): Promise<Settled> {
    const { database, metrics } = this.#dependencies;
    if (await releaseRecord(tenant, database, record.operation_id))
      metrics.keyedEnds.inc({ outcome: 'released' });
    return 'ended';
  }

  #report(blocked: BlockedRequest): Promise<Report> | Report {
    // Its charge is reversed unless it is confirmed, which only a stored answer does; it has no other effect.
    if (blocked.operation.confirmed) return { outcome: 'nothing' };
    return reportFrom(this.#dependencies, blocked, newContext({ deadlineMs: askMs }));
  }
}
