/**
 * The time limits of all tests, in milliseconds. They only end what hangs: no test passes or fails by its speed, so
 * they are far longer than anything takes on a busy machine. What is fast enough is a row of the bench.
 */
export const limits = {
  /** One test, or one hook. */
  testMs: 1_800_000,
  /** A wait for one condition. */
  conditionMs: 300_000,
} as const;
