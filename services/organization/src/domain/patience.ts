/** Milliseconds after which a charge whose answer nobody confirmed is taken back. */
export const confirmWithinMs = 20_000;

/**
 * Keeps charges from being reversed while their confirmations may still be waiting: after the start, and after a time
 * in which confirmations could not arrive or be written, they get the same time again.
 */
export class Patience {
  #since: Date;

  constructor(startedAt: Date) {
    this.#since = startedAt;
  }

  /** Until now, confirmations may have been held up. */
  interrupted(at: Date): void {
    if (at > this.#since) this.#since = at;
  }

  /** The latest moment of charging whose charges are overdue; undefined while none may be reversed. */
  overdue(at: Date): Date | undefined {
    const bound = new Date(at.getTime() - confirmWithinMs);
    return bound >= this.#since ? bound : undefined;
  }
}
