import { CodedError } from '@stanza/contracts';
import { upTo } from '@stanza/runtime';
import { LRUCache } from 'lru-cache';
import type { Deadline } from '../deadline.ts';

/** Failures kept. */
const failuresKept = 5_000;

/** The options of `SharedLookups`. */
export interface SharedLookupsOptions<T = string> {
  /** Answers kept; with `sizeOf`, their sizes together. */
  max: number;
  sizeOf?: (answer: T) => number;
  /** Milliseconds that an answer is kept. */
  ttlMs: number;
  /** Milliseconds that a failure is kept; none is unless given. */
  failedTtlMs?: number;
  /** The error for callers whose deadline passes before the answer. */
  late: () => CodedError;
}

/** Caches answers, failures too where that is asked for, and shares concurrent lookups. */
export class SharedLookups<T extends NonNullable<unknown> = string> {
  readonly #known: LRUCache<string, T>;
  readonly #failed: LRUCache<string, CodedError> | undefined;
  readonly #underWay = new Map<string, Promise<T>>();
  readonly #late: () => CodedError;

  constructor({ max, ttlMs, failedTtlMs, late, sizeOf }: SharedLookupsOptions<T>) {
    const bound = sizeOf ? { maxSize: max, sizeCalculation: sizeOf } : upTo(max);
    this.#known = new LRUCache({ ...bound, ttl: ttlMs });
    if (failedTtlMs !== undefined) this.#failed = new LRUCache({ ...upTo(failuresKept), ttl: failedTtlMs });
    this.#late = late;
  }

  /**
   * Returns the cached answer, or looks it up. The lookup has a deadline of its own, so that a caller with a short one
   * does not fail the others.
   */
  async get(key: string, deadline: Deadline, ask: () => Promise<T>): Promise<T> {
    const failure = this.#failed?.get(key);
    if (failure) throw failure;
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
    } catch (err) {
      if (err instanceof CodedError) this.#failed?.set(key, err);
      throw err;
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
