import { Newest } from './newest.ts';

/** How many calls are remembered. */
const KEPT_CALLS = 100_000;

/** A call of a Web API method as `GET /control/calls` tells it. */
export interface CallRecord {
  readonly method: string;
  /** The conversation named by the caller; null where the method takes none or the caller named none. */
  readonly channel: string | null;
  /** When it arrived, RFC 3339 in UTC. */
  readonly at: string;
  /** `ok`, the platform error's name, the fault that answered instead (`status_503`, `reset_after`…), or `in_progress`. */
  outcome: string;
}

/** Remembers the newest calls and what came of them. */
export class CallLog {
  readonly #now: () => number;
  readonly #calls = new Newest<CallRecord>({ count: KEPT_CALLS });

  /** `now` tells the time in milliseconds since 1970. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes a call that has arrived; its `outcome` is filled in once it is known. */
  begin(method: string, channel: string | null): CallRecord {
    const at = new Date(this.#now()).toISOString();
    const call: CallRecord = { method, channel, at, outcome: 'in_progress' };
    this.#calls.add(call);
    return call;
  }

  /** All remembered calls, newest first. */
  list(): CallRecord[] {
    return [...this.#calls.newestFirst()];
  }

  /** Forgets every call. */
  clear(): void {
    this.#calls.clear();
  }
}
