import type { CodedError } from '@stanza/contracts';
import { LRUCache } from 'lru-cache';
import type { Deadline } from '../deadline.ts';

/** What `SharedLookups` takes. */
export interface SharedLookupsOptions {
  /** Answers kept. */
  max: number;
  /** Milliseconds that an answer is kept. */
  ttlMs: number;
  /** What those are told whose time is up before the answer is there. */
  late: () => CodedError;
}

/** Remembers answers, and asks once for what several want to know at the same time. Failures are not remembered. */
export class SharedLookups {
  readonly #known: LRUCache<string, string>;
  readonly #underWay = new Map<string, Promise<string>>();
  readonly #late: () => CodedError;

  constructor({ max, ttlMs, late }: SharedLookupsOptions) {
    this.#known = new LRUCache({ max, ttl: ttlMs });
    this.#late = late;
  }

  /**
   * Answers what is known under the key, or asks. The question has a deadline of its own, so that a caller in a hurry
   * does not spoil the answer for the others.
   */
  async get(key: string, deadline: Deadline, ask: () => Promise<string>): Promise<string> {
    return this.#known.get(key) ?? this.#within(deadline, this.#underWay.get(key) ?? this.#start(key, ask));
  }

  /** What is known under the key, if anything. */
  peek(key: string): string | undefined {
    return this.#known.peek(key);
  }

  forget(key: string): void {
    this.#known.delete(key);
  }

  #start(key: string, ask: () => Promise<string>): Promise<string> {
    const asking = this.#askOnce(key, ask);
    this.#underWay.set(key, asking);
    return asking;
  }

  async #askOnce(key: string, ask: () => Promise<string>): Promise<string> {
    try {
      const answer = await ask();
      this.#known.set(key, answer);
      return answer;
    } finally {
      this.#underWay.delete(key);
    }
  }

  async #within(deadline: Deadline, answer: Promise<string>): Promise<string> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(this.#late()), deadline.remaining);
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
