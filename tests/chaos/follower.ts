import type { Stanza } from '@stanza/sdk';

/** Follows the messages of an organization as a dashboard does, through everything that breaks its stream. */
export class Follower {
  /** The last status that the stream has shown of each message. */
  readonly seen = new Map<string, string>();
  readonly #ending = new AbortController();
  readonly #following: Promise<void>;

  constructor(stanza: Stanza) {
    this.#following = this.#follow(stanza);
  }

  /**
   * Waits until the stream shows something: only from then on does it show everything. One that has never been answered
   * has no place to be opened again at.
   * @throws Error when it shows nothing for a while
   */
  async begun(waitUntil: (done: () => boolean) => Promise<boolean>): Promise<void> {
    if (!(await waitUntil(() => this.seen.size > 0)))
      throw new Error('The stream of messages did not begin.');
  }

  /** Waits until the stream has shown these statuses, or has shown nothing new for a while; then ends. */
  async end(
    expected: ReadonlyMap<string, string>,
    waitUntil: (done: () => boolean) => Promise<boolean>,
  ): Promise<void> {
    await waitUntil(() => [...expected].every(([id, status]) => this.seen.get(id) === status));
    this.#ending.abort();
    await this.#following;
  }

  async #follow(stanza: Stanza): Promise<void> {
    const { signal } = this.#ending;
    try {
      // The SDK opens a broken stream again where it was; it gives up only when the time is over.
      const stream = stanza.messages.stream({}, { signal, timeoutMs: 600_000 });
      for await (const { id, status } of stream) this.seen.set(id, status);
    } catch (error) {
      if (!signal.aborted) console.error(`The stream of messages ended: ${String(error)}`);
    }
  }
}
