/** An entry that is called at its deadline. */
export interface Expiring {
  /** On the monotonic clock, milliseconds. */
  deadline: number;
  expire(): void;
}

/** Milliseconds by which an entry may be called late. */
const graceMs = 10;

/**
 * Watches many deadlines with one timer. The timer is set for the earliest deadline ever added and scans when it fires;
 * an entry that is settled in time, as nearly all are, costs one insertion and one deletion in a set.
 */
export class Deadlines {
  readonly #entries = new Set<Expiring>();
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #wakesAt = Number.POSITIVE_INFINITY;

  constructor(now: () => number) {
    this.#now = now;
  }

  add(entry: Expiring): void {
    this.#entries.add(entry);
    if (entry.deadline < this.#wakesAt) this.#wakeAt(entry.deadline);
  }

  delete(entry: Expiring): void {
    this.#entries.delete(entry);
  }

  /** Removes every entry and stops the timer. */
  clear(): void {
    this.#entries.clear();
    clearTimeout(this.#timer);
    this.#wakesAt = Number.POSITIVE_INFINITY;
  }

  #wakeAt(moment: number): void {
    clearTimeout(this.#timer);
    this.#wakesAt = moment;
    const delay = Math.max(1, Math.ceil(moment - this.#now()));
    this.#timer = setTimeout(() => this.#sweep(), delay).unref();
  }

  #sweep(): void {
    const now = this.#now();
    this.#wakesAt = Number.POSITIVE_INFINITY;
    let earliest = Number.POSITIVE_INFINITY;
    for (const entry of this.#entries) {
      if (entry.deadline <= now) {
        this.#entries.delete(entry);
        entry.expire();
      } else if (entry.deadline < earliest) earliest = entry.deadline;
    }
    // An entry added by `expire` may have set an earlier moment already.
    if (earliest < this.#wakesAt) this.#wakeAt(Math.max(earliest, now + graceMs));
  }
}
