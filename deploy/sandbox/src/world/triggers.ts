import { randomBytes } from 'node:crypto';

/** Milliseconds for which a trigger is good. */
const GOOD_MS = 3_000;
/** Triggers remembered, so that used ones are told from those that never were. */
const KEPT = 1_000;

/** Who made a trigger by using an element. */
export interface TriggerSource {
  readonly workspace: string;
  readonly user: string;
  /** The view in which it was made, if it was in one. */
  readonly viewId: string | null;
}

interface Entry extends TriggerSource {
  readonly until: number;
  isUsed: boolean;
}

/** Whose trigger it is, or the platform's name for why it is no good. */
export type Redeemed =
  | { readonly ok: true; readonly source: TriggerSource }
  | { readonly ok: false; readonly error: string };

/** The triggers that uses have made: each opens one view, within three seconds. */
export class Triggers {
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Makes the trigger of a use. */
  issue(source: TriggerSource): string {
    const id = `${this.#now()}.${randomBytes(4).readUInt32BE()}.${randomBytes(16).toString('hex')}`;
    this.#entries.set(id, { ...source, until: this.#now() + GOOD_MS, isUsed: false });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > KEPT && oldest !== undefined) this.#entries.delete(oldest);
    return id;
  }

  /** Uses a trigger up. */
  redeem(id: string, workspace: string): Redeemed {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.workspace !== workspace)
      return { ok: false, error: 'invalid_trigger_id' };
    if (entry.isUsed) return { ok: false, error: 'exchanged_trigger_id' };
    if (this.#now() > entry.until) return { ok: false, error: 'expired_trigger_id' };
    entry.isUsed = true;
    return { ok: true, source: entry };
  }
}
