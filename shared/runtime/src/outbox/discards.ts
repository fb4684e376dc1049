import { isJob, type JobOperation, jobSubjectOf, type Operation } from '@stanza/contracts';
import type { z } from 'zod';
import type { Transaction } from '../database/database.ts';

/** What a service does when an operator discards a failed job of it, for which something would wait for ever. */
export interface Discard {
  operation: JobOperation;
  run: (tx: Transaction, payload: string) => Promise<void>;
}

/**
 * Declares what follows when a failed job is discarded, in the transaction that discards it. The input of another version,
 * which this one cannot read, is discarded and nothing follows.
 */
export const whenDiscarded = <Id extends string, Input extends z.ZodType, Reply extends z.ZodType>(
  operation: JobOperation<Id, Input, Reply>,
  follow: (tx: Transaction, input: z.output<Input>) => Promise<void>,
): Discard => ({
  operation,
  run: async (tx, payload) => {
    const { success, data } = operation.input.safeParse(JSON.parse(payload));
    if (success) await follow(tx, data);
  },
});

/** True for the subject of a job; a process of an older version stored the subject of the one message. */
export const isOf = (operation: Operation, subject: string): boolean =>
  isJob(operation) && `${subject}.`.startsWith(`${jobSubjectOf(operation)}.`);
