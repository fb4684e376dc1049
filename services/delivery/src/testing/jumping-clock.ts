import { type Clock, systemClock } from '@stanza/runtime';

/** The clock of a process: time goes on as it does, a test may jump ahead, and the time of day may be wrong. */
export class JumpingClock implements Clock {
  #ahead = 0;
  #skew = 0;

  now(): Date {
    return new Date(systemClock.now().getTime() + this.#ahead + this.#skew);
  }

  monotonic(): number {
    return systemClock.monotonic() + this.#ahead;
  }

  /** Milliseconds by which it has jumped. */
  get ahead(): number {
    return this.#ahead;
  }

  /** This many milliseconds pass, for the process and for the database as the process sees it. */
  jump(milliseconds: number): void {
    this.#ahead += milliseconds;
  }

  /** The process's time of day is wrong by this many milliseconds; no time passes, and the database is right. */
  skew(milliseconds: number): void {
    this.#skew = milliseconds;
  }
}
