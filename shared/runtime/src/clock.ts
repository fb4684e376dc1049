/** Where time comes from, so that a test can hold it. */
export interface Clock {
  /** The time of day, for what is stored or shown. */
  now(): Date;
  /** Milliseconds since some fixed moment, never going back: for durations and deadlines. */
  monotonic(): number;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonic: () => performance.now(),
};
