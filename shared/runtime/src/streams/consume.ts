import type { WorkDeclaration } from '@stanza/contracts';
import type { z } from 'zod';
import type { Transaction } from '../database/database.ts';

/** What is known of a piece of work besides its payload. */
export interface WorkFacts {
  /** The same for every delivery and every attempt. */
  id: string;
  /** How often the producer has published it, from 1. */
  attempt: number;
}

/** How work is consumed. */
export interface ConsumeOptions<T = unknown> {
  /**
   * Runs before the transaction, at each delivery. It is for long work, which must not hold a transaction open.
   * It is safe to repeat, and throws {@link UnfinishedWork} to go on at another delivery.
   */
  prepare?: (payload: T) => Promise<void>;
  /** Pieces of work under way at one time in this process; 4 unless given. */
  concurrency?: number;
}

/** A consumer of one kind of work, as lists of them hold it. */
export interface WorkConsumer {
  readonly declaration: WorkDeclaration;
  readonly concurrency: number;
  /**
   * Reads a payload.
   * @returns what does the work in a transaction
   * @throws a ZodError when the payload has not the declared shape
   */
  read(payload: unknown): (tx: Transaction, facts: WorkFacts) => Promise<void>;
  /** What comes before the transaction; see {@link ConsumeOptions}. */
  prepare?(payload: unknown): Promise<void>;
}

/** The work has made progress and is not finished. It is delivered again soon, without a limit on deliveries. */
export class UnfinishedWork extends Error {
  override readonly name = 'UnfinishedWork';
}

/** The work can never succeed: it becomes a dead letter at once instead of being tried again. */
export class PermanentFailure extends Error {
  override readonly name = 'PermanentFailure';
}

/** Each piece holds a connection of the pool, which the operations need as well. */
const defaultConcurrency = 4;

/**
 * Declares how a kind of work is done. `run` gets the transaction in which the work is marked as done: what it writes
 * there happens exactly once, however often the work is delivered. When it rejects, the work is delivered again, later
 * each time; see {@link PermanentFailure}.
 */
export const consume = <P extends z.ZodType>(
  declaration: WorkDeclaration<P>,
  run: (payload: z.output<P>, tx: Transaction, facts: WorkFacts) => Promise<void>,
  options: ConsumeOptions<z.output<P>> = {},
): WorkConsumer => {
  const { prepare } = options;
  return {
    declaration,
    concurrency: options.concurrency ?? defaultConcurrency,
    read: (payload) => {
      const work = declaration.payload.parse(payload);
      return (tx, facts) => run(work, tx, facts);
    },
    ...(prepare && { prepare: (payload) => prepare(declaration.payload.parse(payload)) }),
  };
};
