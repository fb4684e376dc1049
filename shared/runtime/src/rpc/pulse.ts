import type { Clock } from '../clock.ts';

/** Milliseconds between two beats. */
const beatMs = 250;
/** Milliseconds without a beat after which the process counts as frozen. */
const frozenMs = 1_000;

/**
 * Shows when this process was frozen, as a machine is while it is paused. What then waited in its sockets is as old as
 * the last beat, and its caller may have given up.
 */
export class Pulse {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #timer: NodeJS.Timeout;
  #beatAt: number;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#beatAt = clock.monotonic();
    // Immediates come after the sockets are read: after a freeze, what waited is read before the next beat.
    const beat = () => {
      this.#beatAt = clock.monotonic();
    };
    this.#timer = setInterval(() => setImmediate(beat), beatMs).unref();
  }

  /** When a message arrived that is read now: now, or before the freeze that has just ended. */
  arrivedAt(): number {
    const now = this.#clock.monotonic();
    return now - this.#beatAt > frozenMs ? this.#beatAt : now;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
