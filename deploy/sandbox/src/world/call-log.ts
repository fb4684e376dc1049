import { Newest } from './newest.ts';

/** Calls that are kept. */
const KEPT_CALLS = 100_000;

/** A call of a Web API method as listed by `GET /control/calls`. */
export interface CallRecord {
  readonly method: string;
  /** The conversation that the call names; null for a call that names none. */
  readonly channel: string | null;
  /** When it arrived, RFC 3339 in UTC. */
  readonly at: string;
  /** `ok`, the platform error's name, the fault that answered instead (`status_503`, `reset_after`…), or `in_progress`. */
  outcome: string;
}

/** Keeps the newest calls and their outcomes. */
export class CallLog {
  readonly #now: () => number;
  readonly #calls = new Newest<CallRecord>({ count: KEPT_CALLS });

  /** `now` returns the time in milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Records an incoming call; its `outcome` is set once it is known. */
  begin(method: string, channel: string | null): CallRecord {
    const at = new Date(this.#now()).toISOString();
    const call: CallRecord = { method, channel, at, outcome: 'in_progress' };
    this.#calls.add(call);
    return call;
  }

  /** All kept calls, newest first. */
  list(): CallRecord[] {
    return [...this.#calls.newestFirst()];
  }

  /** Deletes every call. */
  clear(): void {
    this.#calls.clear();
  }
}
