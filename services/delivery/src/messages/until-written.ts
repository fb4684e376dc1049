import { setTimeout as pause } from 'node:timers/promises';
import { CodedError } from '@stanza/contracts';
import type { Deadline } from '../deadline.ts';

/** Milliseconds between tries to write while the database is away. */
const retryMs = 250;

const isDatabaseAway = (error: unknown): boolean =>
  error instanceof CodedError && error.code === 'service_unavailable';

/** Writes what became of a message, as often as the deadline allows while the database is away. */
export const untilWritten = async <T>(deadline: Deadline, write: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await write();
    } catch (err) {
      if (!isDatabaseAway(err) || deadline.remaining < retryMs) throw err;
      await pause(retryMs);
    }
  }
};
