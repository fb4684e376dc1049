import { CodedError, type ShareKind } from '@stanza/contracts';
import type { Metrics } from '../observability/metrics.ts';
import { largestOf, observeShares, observeWaits, type ShareCounts } from './share-metrics.ts';

/** What turns are made from. */
export interface TurnsOptions {
  kind: ShareKind;
  /** Pieces of work at one time. */
  places: number;
  /** Pieces of one holder that wait, at most. */
  waiting: number;
  /** Milliseconds that a piece waits, at most. */
  waitMs: number;
  metrics: Metrics;
  /** Places that a holder leaves to others: one, unless given, or as many as it has. */
  leaves?: 'one' | 'as_many';
  /** What is refused, for people: "Too many searches". */
  subject: string;
}

interface Waiting {
  begin(): void;
}

/**
 * Work of few places, for which holders take turns: the one that waits longest without a turn comes next, however much
 * work of others waits.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #counts: ShareCounts;
  readonly #countWait: () => void;
  readonly #underWay = new Map<string, number>();
  /** In the order of turns: who has had one stands last. */
  readonly #waiting = new Map<string, Waiting[]>();
  #taken = 0;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#countWait = observeWaits(options.metrics, options.kind);
    this.#counts = observeShares(options.metrics, options.kind, () => ({
      held: this.#taken,
      largest: largestOf(this.#underWay.values()),
    }));
  }

  /** Pieces that wait. */
  get waiting(): number {
    let count = 0;
    for (const line of this.#waiting.values()) count += line.length;
    return count;
  }

  /**
   * Does a piece of work when it is the holder's turn.
   * @throws CodedError `service_unavailable` when too much of the holder waits, or waited for too long; nothing was done
   */
  async run<T>(holder: string, work: () => Promise<T>): Promise<T> {
    if (this.#mayBegin(holder)) this.#count(holder, 1);
    else await this.#wait(holder);
    try {
      return await work();
    } finally {
      this.#count(holder, -1);
      this.#next();
    }
  }

  #mayBegin(holder: string): boolean {
    const { places, leaves = 'one' } = this.#options;
    if (this.#taken >= places) return false;
    const held = this.#underWay.get(holder) ?? 0;
    // The first piece of a holder needs a place and nothing else.
    if (held === 0) return true;
    return held < (leaves === 'one' ? places - 1 : places - this.#taken - 1);
  }

  #count(holder: string, by: 1 | -1): void {
    this.#taken += by;
    const underWay = (this.#underWay.get(holder) ?? 0) + by;
    if (underWay > 0) this.#underWay.set(holder, underWay);
    else this.#underWay.delete(holder);
  }

  #wait(holder: string): Promise<void> {
    const { waiting: most, waitMs } = this.#options;
    const line = this.#waiting.get(holder) ?? [];
    if (line.length >= most) return Promise.reject(this.#refusal('share'));
    return new Promise((resolve, reject) => {
      const giveUp = setTimeout(() => {
        line.splice(line.indexOf(waiting), 1);
        if (line.length === 0) this.#waiting.delete(holder);
        reject(this.#refusal('full'));
      }, waitMs);
      const waiting: Waiting = {
        begin: () => {
          clearTimeout(giveUp);
          this.#countWait();
          resolve();
        },
      };
      line.push(waiting);
      this.#waiting.set(holder, line);
    });
  }

  #refusal(reason: 'full' | 'share'): CodedError {
    this.#counts.refused(reason);
    return new CodedError('service_unavailable', {
      message: `${this.#options.subject} of the organization are under way; nothing was done.`,
      retry_after: 1,
      nothing_done: true,
    });
  }

  #next(): void {
    for (const [holder, line] of this.#waiting) {
      if (!this.#mayBegin(holder)) continue;
      const waiting = line.shift();
      this.#waiting.delete(holder);
      if (line.length > 0) this.#waiting.set(holder, line);
      if (!waiting) continue;
      this.#count(holder, 1);
      waiting.begin();
    }
  }
}
