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

/** Messages that leave the service, written in the transaction that makes them true. */
export interface Outbox {
  /**
   * Adds a message to a transaction. It is published after the commit and a delay, and as often as it takes. The
   * delay counts from the beginning of the transaction, by the clock of the database.
   * @throws InvariantError when the service is no producer of it, and a ZodError when the payload has not its shape
   */
  add<D extends MessageDeclaration>(
    tx: Transaction,
    declaration: D,
    payload: PayloadOf<D>,
    options?: { delayMs?: number },
  ): Promise<void>;
}

const insertMessage = statement<{ id: string }>(
  'outbox-insert',
  `insert into outbox (id, kind, subject, payload, traceparent, due_at)
   values ($1, $2, $3, $4, $5, now() + $6::float8 * interval '1 millisecond')`,
);

/** What the outbox needs. */
export interface OutboxOptions {
  service: ServiceName;
  tracing: Tracing;
  /** Called after each commit that added something. */
  poke: () => void;
}

/** Makes the outbox of a service. */
export const createOutbox = ({ service, tracing, poke }: OutboxOptions): Outbox => ({
  add: async (tx, declaration, payload, options = {}) => {
    if (!declaration.producers.includes(service)) {
      throw new InvariantError(`${service} is no producer of ${declaration.name}`);
    }
    const json = JSON.stringify(declaration.payload.parse(payload));
    const subject = messageSubjectOf(declaration);
    const values = [newId(), declaration.kind, subject, json, tracing.current(), options.delayMs ?? 0];
    await tx.query(insertMessage, values);
    tx.afterCommit(poke);
  },
});
