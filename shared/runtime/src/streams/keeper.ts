import { setTimeout as pause } from 'node:timers/promises';
import type { Broker } from '../nats/broker.ts';
import type { Logger } from '../observability/log.ts';
import { ensureStreams } from './ensure.ts';

/** Interval of the check of streams and consumers, also after a failure; milliseconds. */
const everyMs = 20_000;
const againMs = 500;

/** Dependencies of the keeper. */
export interface StreamKeeperOptions {
  /** Connected as the user `streams`. */
  broker: Broker;
  log: Logger;
  /** Copies of each stream. */
  replicas: number;
  /** Milliseconds between two checks; 20 s unless given. */
  everyMs?: number;
}

/**
 * Creates the streams and consumers of the services, and restores them when NATS has lost them: at each reconnect, and
 * every 20 seconds while connected.
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

  /** True when the last check found every stream and consumer. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Error of the last check; undefined when it succeeded. */
  get trouble(): unknown {
    return this.#trouble;
  }

  /** Checks until `stop`. */
  start(): void {
    this.#options.broker.onDisconnect(() => {
      this.#isComplete = false;
    });
    this.#options.broker.onReconnect(() => this.#wake.abort());
    this.#loop = this.#run();
  }

  /** Waits for a check in flight. */
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
      if (!this.#isComplete) log.info('streams and consumers exist');
      this.#isComplete = broker.connected;
      this.#trouble = undefined;
    } catch (err) {
      this.#isComplete = false;
      this.#trouble = err;
      if (!this.#stop.signal.aborted) log.warn({ err }, 'streams cannot be created');
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
