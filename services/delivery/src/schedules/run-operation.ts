import { v5 as uuidv5 } from 'uuid';

/**
 * The operation id of a run, by which its message is unique and its credit reserved: derived from the scheduled message
 * and the time, so every replica and try gets the same.
 */
export const runOperation = (scheduledMessageId: string, dueAt: Date): string =>
  uuidv5(dueAt.toISOString(), scheduledMessageId);
