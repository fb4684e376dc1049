import type { Changes } from './event-text.ts';

/** Reads that several streams make at the same time at the same place are one. */
export class SharedReads {
  readonly #running = new Map<string, Promise<Changes>>();

  /**
   * Reads, or joins the read that runs.
   * @param key names all that the answer depends on: the tenant, the filters, the place
   */
  read(key: string, load: () => Promise<Changes>): Promise<Changes> {
    const running = this.#running.get(key);
    if (running) return running;
    const read = load().finally(() => this.#running.delete(key));
    this.#running.set(key, read);
    return read;
  }
}
