/** The last use of each key, or by each user, since it was last written down. */
export type LastUses = ReadonlyMap<string, Date>;

/**
 * Collects when something was used, so that no request waits for a write. What is lost with a process is at most a few
 * seconds of "last used".
 */
export class Uses {
  #pending = new Map<string, Date>();

  /** What has this id was used now. */
  note(id: string, at: Date): void {
    const known = this.#pending.get(id);
    if (known === undefined || known < at) this.#pending.set(id, at);
  }

  /** Hands over what was collected and begins anew. */
  take(): LastUses {
    const taken = this.#pending;
    this.#pending = new Map();
    return taken;
  }

  /** Takes back what could not be written; a use noted meanwhile is later and stays. */
  giveBack(uses: LastUses): void {
    for (const [id, at] of uses) this.note(id, at);
  }
}
