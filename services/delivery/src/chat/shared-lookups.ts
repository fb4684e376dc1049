import type { CodedError } from '@stanza/contracts';
import { LRUCache } from 'lru-cache';
import type { Deadline } from '../deadline.ts';

/** The options of `SharedLookups`. */
export interface SharedLookupsOptions<T = string> {
  /** Answers kept; with `sizeOf`, their sizes together. */
  max: number;
  sizeOf?: (answer: T) => number;
  /** Milliseconds that an answer is kept. */
  ttlMs: number;
  /** The error for callers whose deadline passes before the answer. */
  late: () => CodedError;
}

/** Caches answers, and shares concurrent lookups. Failures are not cached. */
export class SharedLookups<T extends NonNullable<unknown> = string> {
  readonly #known: LRUCache<string, T>;
  readonly #underWay = new Map<string, Promise<T>>();
  readonly #late: () => CodedError;

  constructor({ max, ttlMs, late, sizeOf }: SharedLookupsOptions<T>) {
    const bound = sizeOf ? { maxSize: max, sizeCalculation: sizeOf } : { max };
    this.#known = new LRUCache({ ...bound, ttl: ttlMs });
    this.#late = late;
  }

  /**
   * Returns the cached answer, or looks it up. The lookup has a deadline of its own, so that a caller with a short one
   * does not fail the others.
   */
  async get(key: string, deadline: Deadline, ask: () => Promise<T>): Promise<T> {
    return this.#known.get(key) ?? this.#within(deadline, this.#underWay.get(key) ?? this.#start(key, ask));
  }

  /** The cached answer, if any. */
  peek(key: string): T | undefined {
    return this.#known.peek(key);
  }

  forget(key: string): void {
    this.#known.delete(key);
  }

  #start(key: string, ask: () => Promise<T>): Promise<T> {
    const asking = this.#askOnce(key, ask);
    this.#underWay.set(key, asking);
    return asking;
  }

  async #askOnce(key: string, ask: () => Promise<T>): Promise<T> {
    try {
      const answer = await ask();
      this.#known.set(key, answer);
      return answer;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #within(deadline: Deadline, answer: Promise<T>): Promise<T> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(this.#late()), deadline.remaining);
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
