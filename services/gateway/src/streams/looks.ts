import { createHash } from 'node:crypto';

/** Parts of a second, in each of which some of the streams look at the log. */
export const looksOfSecond = 20;

/** Looks of a stream that is behind, in a second. */
const looksBehind = 4;

/** What is awaited in one part of a second. */
type Ring = PromiseWithResolvers<void>[];

const ringOf = (length: number): Ring => Array.from({ length }, () => Promise.withResolvers<void>());

/** Resolves a place of a ring, for those that wait there now. */
const wake = (ring: Ring, turn: number): void => {
  const place = turn % ring.length;
  ring[place]?.resolve();
  ring[place] = Promise.withResolvers();
};

/**
 * When streams look at the log: each once a second, and four times while it is behind. Streams that ask the same look
 * together, so that they share a read; the others are spread over the second.
 */
export class Looks {
  readonly #level = ringOf(looksOfSecond);
  readonly #behind = ringOf(looksOfSecond / looksBehind);
  #turn = 0;

  /** Lets those look whose part of the second it is; called {@link looksOfSecond} times a second. */
  pass(): void {
    wake(this.#level, this.#turn);
    wake(this.#behind, this.#turn);
    this.#turn += 1;
  }

  /**
   * Resolves at the next look.
   * @param asked names all that is asked, whatever the place
   */
  next(asked: string, isBehind: boolean): Promise<void> {
    const ring = isBehind ? this.#behind : this.#level;
    const part = createHash('sha256').update(asked).digest().readUInt32BE() % ring.length;
    return ring[part]?.promise ?? Promise.resolve();
  }

  /** Lets all look at once. */
  passAll(): void {
    for (let part = 0; part < looksOfSecond; part += 1) this.pass();
  }
}
