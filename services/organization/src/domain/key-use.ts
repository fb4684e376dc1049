/** The last use of each key that has been used since it was last written down. */
export type LastUses = ReadonlyMap<string, Date>;

/**
 * Collects when keys were used, so that no request waits for a write. What is lost with a process is at most a few
 * seconds of "last used".
 */
export class KeyUse {
  #pending = new Map<string, Date>();

  /** The key was used now. */
  note(keyId: string, at: Date): void {
    const known = this.#pending.get(keyId);
    if (known === undefined || known < at) this.#pending.set(keyId, at);
  }

  /** Hands over what was collected and begins anew. */
  take(): LastUses {
    const taken = this.#pending;
    this.#pending = new Map();
    return taken;
  }

  /** Takes back what could not be written; a use noted meanwhile is later and stays. */
  giveBack(uses: LastUses): void {
    for (const [keyId, at] of uses) this.note(keyId, at);
  }
}
