import type { ShareKind, WorkDeclaration } from '@stanza/contracts';
import type { z } from 'zod';
import type { Transaction } from '../database/database.ts';

/** Facts of a piece of work besides its payload. */
export interface WorkFacts {
  /** The same for every delivery and every attempt. */
  id: string;
  /** How often the producer has published it, from 1. */
  attempt: number;
}

/** How those for whom work is done share the places of a process. */
export interface WorkTurns<T> {
  kind: ShareKind;
  /** For whom a piece of work is done, such as its organization. */
  holder: (payload: T) => string;
}

/** Options of {@link consume}. */
export interface ConsumeOptions<T = unknown> {
  /**
   * Runs before the transaction, at each delivery, for long work that must not hold a transaction open. It must be safe
   * to repeat, and throws {@link UnfinishedWork} to continue at another delivery.
   */
  prepare?: (payload: T) => Promise<void>;
  /**
   * Does the work without the transaction and the inbox, for work that has unique keys of its own: a repeat must change
   * nothing. Concurrent pieces can then share a statement. Dead letters are replayed by `run` all the same.
   */
  alone?: (payload: T, facts: WorkFacts) => Promise<void>;
  /** Pieces of work in flight in this process at most; 4 unless given. */
  concurrency?: number;
  /**
   * Without it, work is done in the order of its arrival. With it, holders take turns, and each leaves as many places free
   * as it has: work of one that cannot go on delays no other's.
   */
  turns?: WorkTurns<T>;
}

/** A consumer of one kind of work. */
export interface WorkConsumer {
  readonly declaration: WorkDeclaration;
  readonly concurrency: number;
  /**
   * Reads a payload.
   * @returns a function that does the work in a transaction
   * @throws a ZodError when the payload does not have the declared shape
   */
  read(payload: unknown): (tx: Transaction, facts: WorkFacts) => Promise<void>;
  /** Work before the transaction; see {@link ConsumeOptions}. */
  prepare?(payload: unknown): Promise<void>;
  /** Does the work without a transaction; see {@link ConsumeOptions}. */
  alone?(payload: unknown, facts: WorkFacts): Promise<void>;
  /** See {@link ConsumeOptions}; a payload that cannot be read has no holder. */
  readonly turns?: { kind: ShareKind; holder: (payload: unknown) => string | undefined };
}

/** The work has made progress and is not yet finished. It is delivered again soon, without a limit on deliveries. */
export class UnfinishedWork extends Error {
  override readonly name = 'UnfinishedWork';
}

/** A permanent error: the work becomes a dead letter at once instead of being retried. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}

/** Each piece of work holds a connection of the pool, which the operations need as well. */
const defaultConcurrency = 4;

/**
 * Declares how a kind of work is done. `run` gets the transaction that also marks the work as done: its writes happen
 * exactly once, however often the work is delivered. When it rejects, the work is delivered again after a growing
 * backoff; see {@link PermanentFailure}.
 */
export const consume = <P extends z.ZodType>(
  declaration: WorkDeclaration<P>,
  run: (payload: z.output<P>, tx: Transaction, facts: WorkFacts) => Promise<void>,
  options: ConsumeOptions<z.output<P>> = {},
): WorkConsumer => {
  const { prepare, alone, turns } = options;
  return {
    declaration,
    concurrency: options.concurrency ?? defaultConcurrency,
    read: (payload) => {
      const work = declaration.payload.parse(payload);
      return (tx, facts) => run(work, tx, facts);
    },
    ...(prepare && { prepare: (payload) => prepare(declaration.payload.parse(payload)) }),
    ...(alone && { alone: (payload, facts) => alone(declaration.payload.parse(payload), facts) }),
    ...(turns && {
      turns: {
        kind: turns.kind,
        holder: (payload) => {
          const { data } = declaration.payload.safeParse(payload);
          return data && turns.holder(data);
        },
      },
    }),
  };
};
