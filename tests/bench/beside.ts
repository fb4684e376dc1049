/** Runs `work` with this many at once, without a pause, until `measure` has ended. */
export const beside = async <T>(
  atOnce: number,
  work: (at: number) => Promise<void>,
  measure: () => Promise<T>,
): Promise<{ measured: T; asked: number }> => {
  let isOver = false;
  let asked = 0;
  const client = async (): Promise<void> => {
    while (!isOver) await work(asked++);
  };
  const busy = Promise.all(Array.from({ length: atOnce }, client));
  try {
    const stopped = busy.then((): never => {
      throw new Error('the clients stopped before the measurement');
    });
    return { measured: await Promise.race([measure(), stopped]), asked };
  } finally {
    isOver = true;
    await busy;
  }
};

/** The value below which this part of the times lies. */
export const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? Number.NaN;
