/** Bounds of a list; past them the oldest entries are dropped. */
export interface Bounds<T> {
  /** Maximum number of entries. */
  readonly count: number;
  /** Maximum weight, in the unit of `weigh`; unlimited when omitted. */
  readonly weight?: number;
  /** Weight of one entry; 0 when omitted. */
  readonly weigh?: (entry: T) => number;
}

/** Keeps the newest entries within its bounds and drops the oldest, at constant cost for each entry. */
export class Newest<T> {
  readonly #bounds: Bounds<T>;
  #entries: (T | undefined)[] = [];
  #head = 0;
  #weight = 0;

  constructor(bounds: Bounds<T>) {
    this.#bounds = bounds;
  }

  /** Entries held now. */
  get size(): number {
    return this.#entries.length - this.#head;
  }

  /** Adds an entry as the newest and drops the oldest ones that no longer fit. */
  add(entry: T): void {
    this.#entries.push(entry);
    this.#weight += this.#weigh(entry);
    const { count, weight = Number.POSITIVE_INFINITY } = this.#bounds;
    while (this.size > count || (this.#weight > weight && this.size > 1)) this.#dropOldest();
  }

  /** Replaces an entry by another of the same weight; no effect when the entry was dropped. */
  replace(entry: T, by: T): void {
    const index = this.#entries.lastIndexOf(entry);
    if (index >= this.#head) this.#entries[index] = by;
  }

  /** Takes an entry out. */
  remove(entry: T): void {
    const index = this.#entries.lastIndexOf(entry);
    if (index < this.#head) return;
    this.#weight -= this.#weigh(entry);
    this.#entries[index] = undefined;
  }

  /** Walks the entries from the newest to the oldest. */
  *newestFirst(): Generator<T> {
    for (let index = this.#entries.length - 1; index >= this.#head; index -= 1) {
      const entry = this.#entries[index];
      if (entry !== undefined) yield entry;
    }
  }

  /** Deletes all entries. */
  clear(): void {
    this.#entries = [];
    this.#head = 0;
    this.#weight = 0;
  }

  #weigh(entry: T): number {
    return this.#bounds.weigh?.(entry) ?? 0;
  }

  #dropOldest(): void {
    const oldest = this.#entries[this.#head];
    if (oldest !== undefined) this.#weight -= this.#weigh(oldest);
    this.#entries[this.#head] = undefined;
    this.#head += 1;
    // The freed front is removed once it is half of the array, so that dropping takes constant time on average.
    if (this.#head > 1_024 && this.#head * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#head);
      this.#head = 0;
    }
  }
}
