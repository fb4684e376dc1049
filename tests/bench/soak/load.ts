import { setTimeout as pause } from 'node:timers/promises';
import type { Workload } from '../cost/work.ts';

/** What a steady load came to so far. */
export interface LoadCount {
  answered: number;
  failed: number;
  /** Requests on their way. */
  inFlight: number;
  /** Why the last one failed. */
  lastFailure?: unknown;
}

/** Of a hundred requests, how many are of each kind. */
const mixture = (workload: Workload): readonly ((at: number) => Promise<void>)[] => [
  ...Array.from({ length: 50 }, () => (at: number) => workload.compile(at)),
  ...Array.from({ length: 15 }, () => (at: number) => workload.push(at)),
  ...Array.from({ length: 15 }, () => (at: number) => workload.send(at)),
  ...Array.from({ length: 5 }, () => (at: number) => workload.digest(at)),
  ...Array.from({ length: 9 }, () => (at: number) => workload.validate(at)),
  ...Array.from({ length: 5 }, () => (at: number) => workload.replay(at)),
  (at) => workload.sendBulk(at),
];

/** Spreads the kinds over the hundred, each time in the same order. */
const stride = 37;

/** Asks at a fixed rate, whatever the answers take, until it is told to end. */
export class SteadyLoad {
  readonly count: LoadCount = { answered: 0, failed: 0, inFlight: 0 };
  readonly #kinds: readonly ((at: number) => Promise<void>)[];
  readonly #timer: NodeJS.Timeout;
  readonly #begun = performance.now();
  readonly #rate: number;
  #asked = 0;

  constructor(workload: Workload, rate: number) {
    this.#kinds = mixture(workload);
    this.#rate = rate;
    this.#timer = setInterval(() => this.#catchUp(), 1_000 / rate);
  }

  /** Ends it, when all that was asked is answered. */
  async end(): Promise<void> {
    clearInterval(this.#timer);
    while (this.count.inFlight > 0) await pause(50);
  }

  /** Timers are late now and then; what they missed is asked at once. */
  #catchUp(): void {
    const due = Math.floor(((performance.now() - this.#begun) / 1_000) * this.#rate);
    while (this.#asked < due) void this.#ask(this.#asked++);
  }

  async #ask(at: number): Promise<void> {
    this.count.inFlight += 1;
    try {
      await this.#kinds[(at * stride) % this.#kinds.length]?.(at);
      this.count.answered += 1;
    } catch (error) {
      this.count.failed += 1;
      this.count.lastFailure = error;
    } finally {
      this.count.inFlight -= 1;
    }
  }
}
