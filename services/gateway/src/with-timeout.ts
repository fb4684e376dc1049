/**
 * Waits for a promise up to the given milliseconds; a later result is ignored.
 * @throws its rejection, or a timeout error
 */
export const withTimeout = async <T>(
  underWay: Promise<T>,
  milliseconds: number,
  what: string,
): Promise<T> => {
  // A timer that is cleared: an aborted signal would cost an error with its stack for each request.
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`${what} took longer than ${milliseconds} ms`));
  }, milliseconds);
  try {
    return await Promise.race([underWay, late]);
  } finally {
    clearTimeout(timer);
  }
};
