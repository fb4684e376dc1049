/** Calls that are on the way at once. */
export const inFlight = 64;

/** Makes this many calls, {@link inFlight} at a time. @returns the milliseconds that it took */
export const repeat = async (calls: number, call: (index: number) => Promise<unknown>): Promise<number> => {
  let next = 0;
  const started = performance.now();
  const worker = async (): Promise<void> => {
    while (next < calls) {
      next += 1;
      await call(next - 1);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return performance.now() - started;
};
