import type { ShareKind } from '@stanza/contracts';
import type { Metrics } from '../observability/metrics.ts';
import { largestOf, observeShares, type ShareCounts, type ShareUse } from './share-metrics.ts';

/** What is being worked on for one holder. */
export interface ConcurrencySlot {
  /**
   * Says who holds it, once.
   * @param holders the holder, below the groups that it belongs to, widest first: a holder in one group has half the share
   *   of the group, in two a third
   * @returns false when the holder would have more slots than are free; the slot is then still to be left
   */
  share(...holders: readonly string[]): boolean;
  /** Gives it back; once or more often. */
  leave(): void;
}

/** What a limit is made from. */
export interface ConcurrencyLimitOptions {
  kind: ShareKind;
  /** Slots. */
  limit: number;
  /** Without them nothing is counted. */
  metrics?: Metrics;
}

/** Of all slots, the part that one request takes at most, however much it weighs. */
const heaviest = 1 / 4;

/**
 * Who gets the next free concurrency slot: what a process works on at one time is shared among those it works for,
 * organizations or client addresses. Beyond the number of slots a request is refused at once, because waiting would only
 * make all of them late; what does wait is in `turns.ts`.
 *
 * The fair share of a holder: it may have no more slots than are free. One alone gets half of them, two get a third each,
 * and the one that comes next finds some left.
 */
export class ConcurrencyLimit {
  readonly #limit: number;
  readonly #counts: ShareCounts | undefined;
  readonly #held = new Map<string, number>();
  #taken = 0;

  constructor({ kind, limit, metrics }: ConcurrencyLimitOptions) {
    this.#limit = limit;
    this.#counts = metrics && observeShares(metrics, kind, () => this.use);
  }

  /** Slots that are taken. */
  get taken(): number {
    return this.#taken;
  }

  /** See {@link ShareUse}. */
  get use(): ShareUse {
    return { held: this.#taken, largest: largestOf(this.#held.values()) };
  }

  /**
   * Takes slots whose holder is not known yet; none where there are too few.
   * @param weight how many, a quarter of all at most
   */
  take(weight = 1): ConcurrencySlot | undefined {
    const slots = Math.max(1, Math.min(weight, Math.floor(this.#limit * heaviest)));
    if (this.#taken + slots > this.#limit) {
      this.#counts?.refused('full');
      return undefined;
    }
    this.#taken += slots;
    let held: readonly string[] = [];
    let isLeft = false;
    return {
      share: (...holders) => {
        if (!this.#hold(holders, slots)) return false;
        held = holders;
        return true;
      },
      leave: () => {
        if (isLeft) return;
        isLeft = true;
        this.#taken -= slots;
        for (const holder of held) this.#release(holder, slots);
      },
    };
  }

  #hold(holders: readonly string[], slots: number): boolean {
    const free = this.#limit - this.#taken;
    const isOver = (holder: string, at: number): boolean => {
      const before = this.#held.get(holder) ?? 0;
      // The first piece of a holder always fits, so that the smallest limits refuse nothing that comes alone.
      return before > 0 && (before + slots) * (at + 1) > free;
    };
    if (holders.some(isOver)) {
      this.#counts?.refused('share');
      return false;
    }
    for (const holder of holders) this.#held.set(holder, (this.#held.get(holder) ?? 0) + slots);
    return true;
  }

  #release(holder: string, slots: number): void {
    const held = (this.#held.get(holder) ?? 0) - slots;
    if (held > 0) this.#held.set(holder, held);
    else this.#held.delete(holder);
  }
}
