import {
  type EventDeclaration,
  eventSubjectOf,
  type InputOf,
  type JobOperation,
  jobSubjectOf,
  type PayloadOf,
  type ServiceName,
} from '@stanza/contracts';
import type { Transaction } from '../database/database.ts';
import { newId } from '../id.ts';
import { InvariantError } from '../invariant.ts';
import type { Tracing } from '../observability/tracing.ts';
import { insertRow, type OutboxMessage } from './rows.ts';

export { type OutboxMessage, outboxDueAt } from './rows.ts';

/** A row of an outbox, as it is declared: the call of a job, or an event. */
export type OutboxDeclaration = JobOperation | EventDeclaration;

/** The input of a job, or the payload of an event. */
export type OutboxInput<D extends OutboxDeclaration> = D extends JobOperation
  ? InputOf<D>
  : D extends EventDeclaration
    ? PayloadOf<D>
    : never;

/** Calls of other services and events that a transaction makes necessary, written with it. */
export interface Outbox {
  /**
   * Adds a call or an event to a transaction. It is made after the commit, and repeated until the call is answered.
   * @param options `delayMs`: counts from the beginning of the transaction, by the clock of the database
   * @throws InvariantError when the service is not a caller or a producer of it, and a ZodError when the input does not
   * have its shape
   */
  add<D extends OutboxDeclaration>(
    tx: Transaction,
    declaration: D,
    input: OutboxInput<D>,
    options?: { delayMs?: number },
  ): Promise<void>;
  /** Runs rows that a statement of the caller has inserted and committed, with {@link outboxDueAt} and `attempt` 1. */
  run(messages: readonly OutboxMessage[]): void;
}

/** Dependencies of the outbox. */
export interface OutboxOptions {
  service: ServiceName;
  tracing: Tracing;
  /** Called after each commit that added a row for later. */
  wake: () => void;
  /** Runs a committed row from memory. */
  run: (message: OutboxMessage) => void;
}

const factsOf = (declared: OutboxDeclaration) =>
  declared.kind === 'event'
    ? {
        kind: declared.kind,
        subject: eventSubjectOf(declared),
        writers: declared.producers,
        schema: declared.payload,
      }
    : {
        kind: 'work' as const,
        subject: jobSubjectOf(declared),
        writers: declared.callers,
        schema: declared.input,
      };

/** Creates the outbox of a service. */
export const createOutbox = ({ service, tracing, wake, run }: OutboxOptions): Outbox => ({
  add: async (tx, declaration, given, { delayMs = 0 } = {}) => {
    const { kind, subject, writers, schema } = factsOf(declaration);
    if (!writers.some((it) => it === service)) {
      throw new InvariantError(`${service} may not write ${subject} into its outbox`);
    }
    const input = schema.parse(given);
    const row = { id: newId(), kind, subject, input, traceparent: tracing.current() ?? null };
    const isNow = delayMs === 0;
    const values = [row.id, kind, subject, JSON.stringify(input), row.traceparent, delayMs, isNow];
    await tx.query(insertRow, values);
    tx.afterCommit(() => (isNow ? run(row) : wake()));
  },
  run: (messages) => messages.forEach(run),
});
