import {
  type MessageDeclaration,
  messageSubjectOf,
  type PayloadOf,
  type ServiceName,
} from '@stanza/contracts';
import type { Transaction } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import { newId } from '../id.ts';
import { InvariantError } from '../invariant.ts';
import type { Tracing } from '../observability/tracing.ts';

/** A message that leaves the service, as its row holds it. */
export interface OutboxMessage {
  /** uuid v7: sorted by it, the oldest comes first. */
  id: string;
  kind: 'event' | 'work';
  subject: string;
  /** JSON. */
  payload: string;
  traceparent: string | null;
}

/** Messages that leave the service, written in the transaction that makes them true. */
export interface Outbox {
  /**
   * Adds a message to a transaction. It is published after the commit and a delay, and republished until it is taken.
   * The delay counts from the beginning of the transaction, by the clock of the database.
   * @throws InvariantError when the service is not a producer of it, and a ZodError when the payload does not have its
   * shape
   */
  add<D extends MessageDeclaration>(
    tx: Transaction,
    declaration: D,
    payload: PayloadOf<D>,
    options?: { delayMs?: number },
  ): Promise<void>;
  /**
   * Publishes messages whose rows a statement of the caller has inserted and committed, with {@link outboxDueAt} and
   * `attempt` 1.
   */
  publish(messages: readonly OutboxMessage[]): void;
}

/** Milliseconds after which the relay publishes a message again that was published from memory. */
const relayedAfterMs = 5_000;

/**
 * SQL of the `due_at` of a message that is published from memory after the commit: it becomes due for the relay only when
 * that fails, or when the work is not reported done.
 */
export const outboxDueAt = `clock_timestamp() + ${relayedAfterMs} * (0.8 + 0.4 * random()) * interval '1 millisecond'`;

// Published from memory, as attempt 1, unless it has a delay.
const insertMessage = statement<{ id: string }>(
  'outbox-insert',
  `insert into outbox (id, kind, subject, payload, traceparent, due_at, attempt)
   values ($1, $2, $3, $4, $5, case when $7 then ${outboxDueAt} else now() + $6::float8 * interval '1 millisecond' end,
     case when $7 then 1 else 0 end)`,
);

/** Dependencies of the outbox. */
export interface OutboxOptions {
  service: ServiceName;
  tracing: Tracing;
  /** Called after each commit that added a message for the relay. */
  poke: () => void;
  /** Publishes a committed message from memory. Without it the relay publishes every message. */
  publish?: (message: OutboxMessage) => void;
}

/** Creates the outbox of a service. */
export const createOutbox = ({ service, tracing, poke, publish }: OutboxOptions): Outbox => ({
  add: async (tx, declaration, payload, options = {}) => {
    if (!declaration.producers.includes(service)) {
      throw new InvariantError(`${service} is not a producer of ${declaration.name}`);
    }
    const json = JSON.stringify(declaration.payload.parse(payload));
    const subject = messageSubjectOf(declaration);
    const message = {
      id: newId(),
      kind: declaration.kind,
      subject,
      payload: json,
      traceparent: tracing.current() ?? null,
    };
    const { delayMs = 0 } = options;
    const isDirect = publish !== undefined && delayMs === 0;
    const { id, kind, traceparent } = message;
    await tx.query(insertMessage, [id, kind, subject, json, traceparent, delayMs, isDirect]);
    tx.afterCommit(() => (isDirect ? publish(message) : poke()));
  },
  publish: (messages) => {
    for (const message of messages) publish?.(message);
  },
});
