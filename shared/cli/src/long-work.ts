/** Milliseconds between two lines: short enough to see that the work goes on, and few lines in a log. */
export const noteEachMs = 10_000;

/**
 * Notes at intervals how far long work is; short work is over before the first line.
 * @param text how far it is at the moment
 */
export const notingLong = async <T>(
  note: (line: string) => void,
  text: () => string,
  work: () => Promise<T>,
): Promise<T> => {
  const timer = setInterval(() => note(text()), noteEachMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
};
