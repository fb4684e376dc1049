import { randomBytes } from 'node:crypto';

/** Lifetime of a trigger, milliseconds. */
const GOOD_MS = 3_000;
/** Triggers that are kept, to distinguish used ones from unknown ones. */
const KEPT = 1_000;

/** The use of an element that made a trigger. */
export interface TriggerSource {
  readonly workspace: string;
  readonly user: string;
  /** The view of the element; null for a message. */
  readonly viewId: string | null;
}

interface Entry extends TriggerSource {
  readonly until: number;
  isUsed: boolean;
}

/** The source of a trigger, or the platform's error name. */
export type Redeemed =
  | { readonly ok: true; readonly source: TriggerSource }
  | { readonly ok: false; readonly error: string };

/** The triggers of uses: each opens one view within three seconds. */
export class Triggers {
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Creates the trigger of a use. */
  issue(source: TriggerSource): string {
    const id = `${this.#now()}.${randomBytes(4).readUInt32BE()}.${randomBytes(16).toString('hex')}`;
    this.#entries.set(id, { ...source, until: this.#now() + GOOD_MS, isUsed: false });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > KEPT && oldest !== undefined) this.#entries.delete(oldest);
    return id;
  }

  /** Redeems a trigger, once. */
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
