import { v5 as uuidv5 } from 'uuid';

/**
 * The operation of a run, by which its message is unique and its credit reserved: the same for the same scheduled
 * message and time, whoever begins the run and however often.
 */
export const runOperation = (scheduledMessageId: string, dueAt: Date): string =>
  uuidv5(dueAt.toISOString(), scheduledMessageId);
