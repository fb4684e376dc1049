import { Newest } from './newest.ts';

/** A callback to the app, with its answer. */
export interface CallbackRecord {
  readonly type: string;
  readonly at: string;
  readonly took_ms: number;
  /** HTTP status; null after a timeout. */
  readonly status: number | null;
  /** The payload, which can be sent again. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** The answer's JSON, or its text. */
  readonly answer: unknown;
}

/** Records that are kept. */
const KEPT = 500;

/** The recent callbacks to the app. */
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
