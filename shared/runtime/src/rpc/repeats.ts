/**
 * Milliseconds without an answer after which a call that changes nothing is made again, most likely elsewhere. With one of
 * two processes frozen, one call in a hundred has no answer after seven requests.
 */
export const repeatAfterMs = 400;

/** Repeats that may be made at once, and those that may be made a second when none of them helps. */
const most = 32;
const aSecond = 2;

/**
 * How many calls may be made again (hedged requests). A repeat that is answered first costs nothing: its receiver is well, and another is
 * not. Where all receivers are slow repeats do not help, and soon there are none.
 */
export class Repeats {
  #left = most;
  #at = 0;

  /** Takes one, if one is left. @param now on the monotonic clock, milliseconds */
  take(now: number): boolean {
    this.#left = Math.min(most, this.#left + ((now - this.#at) / 1_000) * aSecond);
    this.#at = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** The answer to a repeat has come first. With one of two processes frozen that takes two on the average. */
  helped(): void {
    this.#left = Math.min(most, this.#left + 2);
  }
}
