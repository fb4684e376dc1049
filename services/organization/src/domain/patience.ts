/** Milliseconds after which a charge whose answer was not confirmed is taken back. */
export const confirmWithinMs = 20_000;

/**
 * Keeps charges from being reversed while their confirmations may still be waiting: after the start, and after a time
 * in which confirmations could not arrive or be written, they get the same time again. Moments are monotonic; the age of
 * a charge is measured by the clock of the database.
 */
export class Patience {
  #since: number;

  constructor(startedAt: number) {
    this.#since = startedAt;
  }

  /** Until now, confirmations may have been held up. */
  interrupted(at: number): void {
    if (at > this.#since) this.#since = at;
  }

  /** True when charges that were not confirmed in time may be reversed. */
  isOver(at: number): boolean {
    return at - confirmWithinMs >= this.#since;
  }
}
