import { Newest } from '../world/newest.ts';

/** Something that the app was told, and how it answered. */
export interface CallbackRecord {
  readonly type: string;
  readonly at: string;
  readonly took_ms: number;
  /** HTTP status; null when there was no answer in time. */
  readonly status: number | null;
  /** What was sent, so that it can be delivered again. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The answer's JSON, or its text. */
  readonly answer: unknown;
}

/** Records that are kept. */
const KEPT = 500;

/** What the app was told lately. */
export class CallbackLog {
  readonly #records = new Newest<CallbackRecord>({ count: KEPT });

  /** Adds a record as the newest. */
  add(record: CallbackRecord): void {
    this.#records.add(record);
  }

  /** All kept records, newest first. */
  list(): CallbackRecord[] {
    return [...this.#records.newestFirst()];
  }
}
