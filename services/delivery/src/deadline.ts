import type { Clock } from '@stanza/runtime';

/** Milliseconds that a reply needs to reach the caller; work ends that much before the caller's timeout. */
const answerMs = 500;

/** Milliseconds that a post and the write of its outcome need; with less left a post does not begin. */
export const minPostMs = 1_500;

/** A deadline, on this process's own clock. */
export class Deadline {
  readonly #clock: Clock;
  readonly #at: number;

  /** @param at milliseconds on the monotonic clock */
  constructor(clock: Clock, at: number) {
    this.#clock = clock;
    this.#at = at;
  }

  /** The deadline of a call's work, whose caller times out at `callerGivesUp` on the monotonic clock. */
  static forCaller(clock: Clock, callerGivesUp: number): Deadline {
    return new Deadline(clock, callerGivesUp - answerMs);
  }

  /** A deadline the given milliseconds from now. */
  static in(clock: Clock, milliseconds: number): Deadline {
    return new Deadline(clock, clock.monotonic() + milliseconds);
  }

  /** Milliseconds left; never negative. */
  get remaining(): number {
    return Math.max(0, this.#at - this.#clock.monotonic());
  }

  /** A later deadline, for writes after the end of the work itself. */
  after(milliseconds: number): Deadline {
    return new Deadline(this.#clock, this.#at + milliseconds);
  }

  /** The end of the given milliseconds from now, unless this deadline is earlier. */
  within(milliseconds: number): Deadline {
    return new Deadline(this.#clock, Math.min(this.#at, this.#clock.monotonic() + milliseconds));
  }

  /** An earlier deadline that leaves `milliseconds` for the following steps. */
  before(milliseconds: number): Deadline {
    return new Deadline(this.#clock, this.#at - milliseconds);
  }
}
