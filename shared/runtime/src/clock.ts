/** The source of time; a test replaces it. */
export interface Clock {
  /** The time of day, for values that are stored or shown. */
  now(): Date;
  /** Milliseconds since a fixed moment; never goes back. For durations and deadlines. */
  monotonic(): number;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
};
