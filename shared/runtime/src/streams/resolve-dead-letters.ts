import {
  CodedError,
  type DeadLetterResource,
  type DeadLetterService,
  deadLetterServices,
  listDeadLetters,
  messageSubjectOf,
  notFound,
  type ReplyOf,
  resolveDeadLetter,
  type ServiceName,
} from '@stanza/contracts';
import type { Clock } from '../clock.ts';
import type { Database, Transaction } from '../database/database.ts';
import type { DeadLetterRow } from '../database/runtime-tables.ts';
import { statement } from '../database/statement.ts';
import type { Logger } from '../observability/log.ts';
import { isOutage } from '../outage.ts';
import { type AnyHandler, handle } from '../rpc/handler.ts';
import { UnfinishedWork, type WorkConsumer } from './consume.ts';
import { reasonOf } from './verdict.ts';

type ListDeclaration = (typeof listDeadLetters)[DeadLetterService];
type ResolveDeclaration = (typeof resolveDeadLetter)[DeadLetterService];
type Resolution = ReplyOf<ResolveDeclaration>['result'];

/** Dependencies of the dead-letter operations. */
export interface DeadLetterNeeds {
  database: Database;
  clock: Clock;
  log: Logger;
  /** All consumers of the service. */
  consumers: readonly WorkConsumer[];
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

/**
 * Claims the letter for one call. It does not lock the row: the work may erase rows, this one among them, over another
 * connection.
 */
const takeLetter = statement<{ taken: boolean }>(
  'dead-letter-take',
  `select pg_try_advisory_xact_lock(hashtextextended('dead letter ' || $1, 0)) as taken`,
);

const endLetter = statement<object>(
  'dead-letter-end',
  `update dead_letters
   set resolved_at = $2
   where id = $1`,
);

const present = ({ payload, ...row }: DeadLetterRow, whole: boolean): DeadLetterResource => ({
  ...row,
  created_at: row.created_at.toISOString(),
  resolved_at: row.resolved_at?.toISOString() ?? null,
  ...(whole ? { payload } : {}),
});

/** Implements the operation that lists a service's dead letters. */
export const listingDeadLetters = (
  operation: ListDeclaration,
  { database }: Pick<DeadLetterNeeds, 'database'>,
) =>
  handle(operation, async ({ input: { id, resolved, limit, offset } }) => {
    const rows =
      id === undefined
        ? await database.query(listLetters, [resolved, limit, offset])
        : await database.query(selectLetter, [id]);
    return { dead_letters: rows.map((row) => present(row, id !== undefined)) };
  });

/** The consumer of a subject's work; undefined when there is none. */
const consumerOf = (consumers: readonly WorkConsumer[], subject: string): WorkConsumer | undefined =>
  consumers.find(({ declaration }) => {
    const own = messageSubjectOf(declaration);
    // A process of the previous version stores the subject of the one piece of work.
    return subject === own || subject.startsWith(`${own}.`);
  });

const readerOf = (consumers: readonly WorkConsumer[], subject: string): WorkConsumer['read'] => {
  const consumer = consumerOf(consumers, subject);
  if (consumer) return consumer.read;
  throw new CodedError('invalid_state', { message: `Nothing here does the work ${subject}; discard it.` });
};

/** The operator's error for work that failed again; an outage is passed on unchanged. */
const failedAgain = (error: unknown): unknown =>
  isOutage(error)
    ? error
    : new CodedError(
        'invalid_state',
        { message: `It failed again, and stays where it is: ${reasonOf(error)}` },
        { cause: error },
      );

/** Long work runs before the transaction that resolves the letter, and may be repeated by the next call. */
const prepare = async ({ database, consumers }: DeadLetterNeeds, id: string): Promise<void> => {
  const [letter] = await database.query(selectLetter, [id]);
  if (!letter || letter.resolved_at !== null) return;
  const consumer = consumerOf(consumers, letter.subject);
  try {
    await consumer?.prepare?.(JSON.parse(letter.payload));
  } catch (error) {
    if (!(error instanceof UnfinishedWork)) throw failedAgain(error);
    const message = `The work is not finished; replay it again: ${error.message}.`;
    throw new CodedError('invalid_state', { message }, { cause: error });
  }
};

const replay = async (tx: Transaction, letter: DeadLetterRow, consumers: readonly WorkConsumer[]) => {
  const read = readerOf(consumers, letter.subject);
  try {
    const work = read(JSON.parse(letter.payload));
    await work(tx, { id: letter.message_id ?? letter.id, attempt: 1 });
  } catch (error) {
    throw failedAgain(error);
  }
};

/**
 * Implements the operation that resolves a dead letter. The work is done in the transaction that resolves the letter,
 * so a replay that is requested twice happens once, and a failed one changes nothing.
 */
export const resolvingDeadLetter = (operation: ResolveDeclaration, needs: DeadLetterNeeds) =>
  handle(operation, async ({ input: { id, how } }) => {
    if (how === 'replay') await prepare(needs, id);
    const { database, clock, log, consumers } = needs;
    const result = await database.transaction(async (tx): Promise<Resolution> => {
      const [lock] = await tx.query(takeLetter, [id]);
      if (!lock?.taken)
        throw new CodedError('invalid_state', { message: 'Another request is resolving this dead letter.' });
      const [letter] = await tx.query(selectLetter, [id]);
      if (!letter) throw notFound('dead letter');
      if (letter.resolved_at !== null) return 'resolved_before';
      if (how === 'replay') await replay(tx, letter, consumers);
      await tx.query(endLetter, [id, clock.now()]);
      return how === 'replay' ? 'replayed' : 'discarded';
    });
    log.warn({ dead_letter_id: id, result }, 'an operator resolved a dead letter');
    return { result };
  });

const isDeadLetterService = (service: ServiceName): service is DeadLetterService =>
  deadLetterServices.some((it) => it === service);

/** The handlers for the dead letters of a service; none for a service without consumers. */
export const deadLetterHandlers = (service: ServiceName, needs: DeadLetterNeeds): AnyHandler[] =>
  isDeadLetterService(service)
    ? [
        listingDeadLetters(listDeadLetters[service], needs),
        resolvingDeadLetter(resolveDeadLetter[service], needs),
      ]
    : [];
