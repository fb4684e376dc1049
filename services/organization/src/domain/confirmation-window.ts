/** Milliseconds after which an unconfirmed charge is reversed. */
export const confirmWithinMs = 20_000;

/**
 * Delays reversals while confirmations may still be in flight: after the start, and after any period in which
 * confirmations could not be received or written, charges get the full time again. Moments are monotonic; the age of a
 * charge is measured by the clock of the database.
 */
export class ConfirmationWindow {
  #since: number;

  constructor(startedAt: number) {
    this.#since = startedAt;
  }

  /** Notes that confirmations may have been delayed until now. */
  interrupted(at: number): void {
    if (at > this.#since) this.#since = at;
  }

  /** Milliseconds until unconfirmed charges may be reversed; not positive once they may. */
  leftMs(at: number): number {
    return this.#since + confirmWithinMs - at;
  }

  /** True when unconfirmed charges may be reversed. */
  isOver(at: number): boolean {
    return this.leftMs(at) <= 0;
  }
}
