import { setTimeout as pause } from 'node:timers/promises';
import type { Broker } from '../nats/broker.ts';
import type { Logger } from '../observability/log.ts';
import { ensureStreams } from './ensure.ts';

/** How often streams and consumers are looked for, and how soon again after a failure. */
const everyMs = 5_000;
const againMs = 500;

/** What the keeper needs. */
export interface StreamKeeperOptions {
  /** Connected as the user `streams`. */
  broker: Broker;
  log: Logger;
  /** Copies of each stream. */
  replicas: number;
  /** Milliseconds between two looks; 5 s unless given. */
  everyMs?: number;
}

/**
 * Makes the streams and consumers of the services, and makes them again when NATS has lost them: at each reconnect, and
 * every few seconds while the connection lasts.
 */
export class StreamKeeper {
  readonly #options: StreamKeeperOptions;
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #isComplete = false;
  #trouble: unknown;
  #loop: Promise<void> | undefined;

  constructor(options: StreamKeeperOptions) {
    this.#options = options;
  }

  /** True once every stream and consumer was there at the last look. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Why the last look failed; undefined when it did not. */
  get trouble(): unknown {
    return this.#trouble;
  }

  /** Goes on until `stop`, whatever happens. */
  start(): void {
    this.#options.broker.onDisconnect(() => {
      this.#isComplete = false;
    });
    this.#options.broker.onReconnect(() => this.#wake.abort());
    this.#loop = this.#run();
  }

  /** Waits for a look that is under way. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const every = this.#options.everyMs ?? everyMs;
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController();
      if (this.#options.broker.connected) await this.#look();
      await this.#rest(this.#isComplete ? every : Math.min(againMs, every));
    }
  }

  async #look(): Promise<void> {
    const { broker, log, replicas } = this.#options;
    try {
      await ensureStreams(broker, replicas);
      if (!this.#isComplete) log.info('streams and consumers are there');
      this.#isComplete = broker.connected;
      this.#trouble = undefined;
    } catch (err) {
      this.#isComplete = false;
      this.#trouble = err;
      if (!this.#stop.signal.aborted) log.warn({ err }, 'streams cannot be made');
    }
  }

  async #rest(milliseconds: number): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { signal } = this.#wake;
    try {
      await pause(milliseconds, undefined, { signal });
    } catch (err) {
      if (!signal.aborted) throw err;
    }
  }
}
