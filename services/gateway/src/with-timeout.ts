import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for a promise up to the given milliseconds; a later result is ignored.
 * @throws its rejection, or a timeout error
 */
export const withTimeout = async <T>(
  underWay: Promise<T>,
  milliseconds: number,
  what: string,
): Promise<T> => {
  const done = new AbortController();
  const late = pause(milliseconds, undefined, { signal: done.signal }).then(() => {
    throw new Error(`${what} took longer than ${milliseconds} ms`);
  });
  // Rejects on abort too.
  late.catch(() => undefined);
  try {
    return await Promise.race([underWay, late]);
  } finally {
    done.abort();
  }
};
