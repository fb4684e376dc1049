import { messageOf } from '../failure.ts';
import type { Change } from './watch-sources.ts';

/** A process that can be restarted. */
export interface Restartable {
  /** Its number while it runs. */
  readonly pid: number | undefined;
  /** Starts it and waits until it is ready; fails when it is stopped in the meantime, dies, or takes too long. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Callbacks of {@link Restarts}. */
export interface RestartEvents {
  /** A process runs its changed source; milliseconds since the change. */
  onRestarted: (name: string, milliseconds: number, change: Change) => void;
  /** A process runs but does not become ready. */
  onSlow: (name: string, message: string) => void;
}

interface Restart {
  next: Change | undefined;
  underway: Promise<void> | undefined;
}

/** Restarts processes independently: a change during a restart begins it again. */
export class Restarts {
  #processOf: (name: string) => Restartable;
  #events: RestartEvents;
  #restarts = new Map<string, Restart>();
  #closed = false;

  constructor(processOf: (name: string) => Restartable, events: RestartEvents) {
    this.#processOf = processOf;
    this.#events = events;
  }

  /** Restarts a process because of a change. */
  request(name: string, change: Change): void {
    if (this.#closed) return;
    const restart = this.#restarts.get(name) ?? { next: undefined, underway: undefined };
    this.#restarts.set(name, restart);
    restart.next = change;
    if (restart.underway === undefined) restart.underway = this.#run(name, restart);
    else this.#interrupt(name);
  }

  /** Ends restarts in flight; afterwards no process is started. */
  async close(): Promise<void> {
    this.#closed = true;
    const underway = [...this.#restarts].filter(([, restart]) => restart.underway !== undefined);
    for (const [name, restart] of underway) {
      restart.next = undefined;
      this.#interrupt(name);
    }
    await Promise.all(underway.map(([, restart]) => restart.underway));
  }

  /** A start that waits for readiness fails once the process is stopped. */
  #interrupt(name: string): void {
    this.#processOf(name)
      .stop()
      .catch((error: unknown) => this.#events.onSlow(name, messageOf(error)));
  }

  async #run(name: string, restart: Restart): Promise<void> {
    while (restart.next !== undefined) {
      const change = restart.next;
      restart.next = undefined;
      await this.#once(name, restart, change);
    }
    restart.underway = undefined;
  }

  async #once(name: string, restart: Restart, change: Change): Promise<void> {
    const process = this.#processOf(name);
    const isSuperseded = (): boolean => restart.next !== undefined || this.#closed;
    try {
      await process.stop();
      if (isSuperseded()) return;
      await process.start();
      if (!isSuperseded()) this.#events.onRestarted(name, performance.now() - change.since, change);
    } catch (error) {
      // A process that has died is reported when it dies.
      if (!isSuperseded() && process.pid !== undefined) this.#events.onSlow(name, messageOf(error));
    }
  }
}
