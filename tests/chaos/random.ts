/** Random numbers that come again with the same seed. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number of a range, both ends included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** One of several. */
  pick<T>(these: readonly [T, ...T[]]): T {
    return these[this.whole(0, these.length - 1)] ?? these[0];
  }

  /** The same ones in another order. */
  shuffled<T>(these: readonly T[]): T[] {
    const keyed = these.map((it) => ({ it, place: this.next() }));
    return keyed.sort((one, other) => one.place - other.place).map(({ it }) => it);
  }
}
