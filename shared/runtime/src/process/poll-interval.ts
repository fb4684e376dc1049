/** Milliseconds between two looks at due work while there is some, or while new work keeps coming. */
export const busyMs = 200;
/** The longest time between two looks of which each fails, milliseconds. */
const longestFailingMs = 3_200;
/**
 * The longest time between two looks, milliseconds, before it varies by a tenth: the first while there is work, and more
 * with each look that finds none, up to 15 s. Work of this process wakes its job, and a hint that of others; what is left
 * behind without one is found by the next look.
 */
const longestIdleMs = { first: 1_800, last: 13_600 } as const;

const doubled = (firstMs: number, times: number, longestMs: number): number =>
  Math.min(longestMs, firstMs * 2 ** (times - 1));

/** The interval at which a job polls for due work: milliseconds until its next look, by what the looks before found. */
export class PollInterval {
  #idle = 0;
  #failures = 0;

  /** After a look that found work: 200. */
  busy(): number {
    this.#idle = 0;
    this.#failures = 0;
    return busyMs;
  }

  /** After a look that failed: 200, doubled with each in a row up to 3,200, so that a loss is not asked for without end. */
  failed(): number {
    this.#idle = 0;
    this.#failures += 1;
    return doubled(busyMs, this.#failures, longestFailingMs);
  }

  /** After a look that found nothing due: 1,800 at most, doubled with each in a row up to 13,600. */
  idle(): number {
    this.#failures = 0;
    this.#idle += 1;
    return doubled(longestIdleMs.first, this.#idle, longestIdleMs.last);
  }

  /** The job is woken: what it found before says nothing of what comes. */
  woken(): void {
    this.#idle = 0;
  }
}
