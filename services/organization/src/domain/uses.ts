/** The latest use of each key or user since the last write. */
export type LastUses = ReadonlyMap<string, Date>;

/**
 * Collects uses in memory, so that no request waits for a write. A lost process loses at most a few seconds of "last
 * used".
 */
export class Uses {
  #pending = new Map<string, Date>();

  /** Records a use of an id now. */
  note(id: string, at: Date): void {
    const known = this.#pending.get(id);
    if (known === undefined || known < at) this.#pending.set(id, at);
  }

  /** Returns the collected uses and starts over. */
  take(): LastUses {
    const taken = this.#pending;
    this.#pending = new Map();
    return taken;
  }

  /** Takes back uses that could not be written; a later use of the same id wins. */
  giveBack(uses: LastUses): void {
    for (const [id, at] of uses) this.note(id, at);
  }
}
