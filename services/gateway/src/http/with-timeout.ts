import { setTimeout as pause } from 'node:timers/promises';

/**
 * Waits for something that is under way no longer than so many milliseconds; what comes of it later is lost.
 * @throws what it rejects with, or that it took too long
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
  // Rejects when it is called off, too.
  late.catch(() => undefined);
  try {
    return await Promise.race([underWay, late]);
  } finally {
    done.abort();
  }
};
