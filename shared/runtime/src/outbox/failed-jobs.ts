import {
  CodedError,
  type DeadLetterResource,
  type DeadLetterService,
  deadLetterServices,
  jobOperations,
  jobSubjectOf,
  listDeadLetters,
  notFound,
  type ReplyOf,
  resolveDeadLetter,
  type ServiceName,
} from '@stanza/contracts';
import type { Database, Transaction } from '../database/database.ts';
import { deletion } from '../database/in-batches.ts';
import type { DeadLetterRow } from '../database/runtime-tables.ts';
import { statement } from '../database/statement.ts';
import type { Logger } from '../observability/log.ts';
import { isOutage } from '../outage.ts';
import { newContext } from '../rpc/context.ts';
import { type AnyHandler, handle } from '../rpc/handler.ts';
import { type Discard, isOf } from './discards.ts';
import { insertRow, outboxJob, reasonOf } from './rows.ts';

type ListDeclaration = (typeof listDeadLetters)[DeadLetterService];
type ResolveDeclaration = (typeof resolveDeadLetter)[DeadLetterService];
type Resolution = ReplyOf<ResolveDeclaration>['result'];

/** Dependencies of the operations on failed jobs. */
export interface FailedJobNeeds {
  service: ServiceName;
  database: Database;
  log: Logger;
  /** All other handlers of the service. */
  handlers: readonly AnyHandler[];
  /** What follows when a failed job is discarded. */
  discards?: readonly Discard[];
  /** Lets a background job look for its work. */
  wake: (job: string) => void;
}

const columns = 'id, message_id, subject, payload, reason, deliveries, created_at, resolved_at';

const listLetters = statement<DeadLetterRow>(
  'dead-letters-list',
  `select ${columns}
   from dead_letters
   where (resolved_at is not null) = $1
   order by created_at, id
   limit $2
   offset $3`,
);

const selectLetter = statement<DeadLetterRow>(
  'dead-letter-select',
  `select ${columns}
   from dead_letters
   where id = $1`,
);

/** Claims the letter for one call. It does not lock the row: a job may erase rows, this one among them. */
const takeLetter = statement<{ taken: boolean }>(
  'dead-letter-take',
  `select pg_try_advisory_xact_lock(hashtextextended('dead letter ' || $1, 0)) as taken`,
);

const endLetter = statement<object>(
  'dead-letter-end',
  `update dead_letters
   set resolved_at = clock_timestamp()
   where id = $1`,
);

const forget = deletion('dead-letters-forget', {
  from: 'dead_letters',
  where: "resolved_at < (select clock_timestamp()) - interval '30 days'",
});

/** Deletes failed jobs that an operator resolved a month ago: their inputs hold what has a retention elsewhere. */
export const forgetFailedJobs = (database: Database): Promise<number> => forget(database);

const present = ({ payload, ...row }: DeadLetterRow, whole: boolean): DeadLetterResource => ({
  ...row,
  created_at: row.created_at.toISOString(),
  resolved_at: row.resolved_at?.toISOString() ?? null,
  ...(whole ? { payload } : {}),
});

/** Implements the operation that lists a service's dead letters. */
export const listingDeadLetters = (
  operation: ListDeclaration,
  { database }: Pick<FailedJobNeeds, 'database'>,
) =>
  handle(operation, async ({ input: { id, resolved, limit, offset } }) => {
    const rows =
      id === undefined
        ? await database.query(listLetters, [resolved, limit, offset])
        : await database.query(selectLetter, [id]);
    return { dead_letters: rows.map((row) => present(row, id !== undefined)) };
  });

/**
 * Runs a failed job again: it returns to the outbox as a new row under its id. The previous version kept the failed jobs of
 * its callers instead; such a one is done here.
 */
const replay = async (
  tx: Transaction,
  { id, message_id, subject, payload }: DeadLetterRow,
  { service, handlers, log }: FailedJobNeeds,
): Promise<void> => {
  const rowId = message_id ?? id;
  const own = handlers.find(({ operation }) => isOf(operation, subject));
  const operation = jobOperations.find((it) => it.callers.includes(service) && isOf(it, subject));
  if (own) {
    const { signal } = new AbortController();
    const context = { ...newContext({ deadlineMs: own.operation.deadlineMs }), operationId: rowId };
    try {
      await own.serve({ json: payload, context, signal: () => signal, log: () => log });
    } catch (error) {
      const message = `It failed again, and stays where it is: ${reasonOf(error)}`;
      throw isOutage(error) ? error : new CodedError('invalid_state', { message }, { cause: error });
    }
  } else if (operation) {
    await tx.query(insertRow, [rowId, 'work', jobSubjectOf(operation), payload, null, 0, false]);
  } else {
    throw new CodedError('invalid_state', {
      message: `Unknown job in this version: ${subject}; discard it.`,
    });
  }
};

/** Does what follows when a failed job is discarded. */
const discard = async (
  tx: Transaction,
  { subject, payload }: DeadLetterRow,
  { discards = [] }: FailedJobNeeds,
): Promise<void> => {
  for (const { operation, run } of discards) if (isOf(operation, subject)) await run(tx, payload);
};

/**
 * Implements the operation that resolves a dead letter, in one transaction: a replay that is requested twice happens once,
 * and one that fails here changes nothing.
 */
export const resolvingDeadLetter = (operation: ResolveDeclaration, needs: FailedJobNeeds) =>
  handle(operation, async ({ input: { id, how } }) => {
    const { database, log, wake } = needs;
    const result = await database.transaction(async (tx): Promise<Resolution> => {
      const [lock] = await tx.query(takeLetter, [id]);
      if (!lock?.taken)
        throw new CodedError('invalid_state', { message: 'Another request is resolving this dead letter.' });
      const [letter] = await tx.query(selectLetter, [id]);
      if (!letter) throw notFound('dead letter');
      if (letter.resolved_at !== null) return 'resolved_before';
      await (how === 'replay' ? replay : discard)(tx, letter, needs);
      await tx.query(endLetter, [id]);
      tx.afterCommit(() => wake(outboxJob));
      return how === 'replay' ? 'replayed' : 'discarded';
    });
    log.warn({ dead_letter_id: id, result }, 'an operator resolved a dead letter');
    return { result };
  });

const isDeadLetterService = (service: ServiceName): service is DeadLetterService =>
  deadLetterServices.some((it) => it === service);

/** The handlers for the failed jobs of a service; none for a service without an outbox. */
export const failedJobHandlers = (needs: FailedJobNeeds): AnyHandler[] =>
  isDeadLetterService(needs.service)
    ? [
        listingDeadLetters(listDeadLetters[needs.service], needs),
        resolvingDeadLetter(resolveDeadLetter[needs.service], needs),
      ]
    : [];
