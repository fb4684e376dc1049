import type { Clock } from '@stanza/runtime';

/** Milliseconds that a reply needs from here to the caller; work ends that much before the caller gives up. */
const answerMs = 500;

/** The moment by which something must be done, on this process's own clock. */
export class Deadline {
  readonly #clock: Clock;
  readonly #at: number;

  /** @param at milliseconds on the monotonic clock */
  constructor(clock: Clock, at: number) {
    this.#clock = clock;
    this.#at = at;
  }

  /** The deadline of the work behind a call, whose caller gives up at `callerGivesUp` on the monotonic clock. */
  static forCaller(clock: Clock, callerGivesUp: number): Deadline {
    return new Deadline(clock, callerGivesUp - answerMs);
  }

  /** A deadline so many milliseconds from now. */
  static in(clock: Clock, milliseconds: number): Deadline {
    return new Deadline(clock, clock.monotonic() + milliseconds);
  }

  /** Milliseconds left; never negative. */
  get remaining(): number {
    return Math.max(0, this.#at - this.#clock.monotonic());
  }

  /** A later deadline, for what may still be written once the work itself has to end. */
  after(milliseconds: number): Deadline {
    return new Deadline(this.#clock, this.#at + milliseconds);
  }

  /** An earlier deadline that leaves `milliseconds` for what comes after. */
  before(milliseconds: number): Deadline {
    return new Deadline(this.#clock, this.#at - milliseconds);
  }
}
