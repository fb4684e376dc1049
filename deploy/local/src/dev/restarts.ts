import { messageOf } from '../failure.ts';
import type { Change } from './watch-sources.ts';

/** What can be started again. */
export interface Restartable {
  /** Its number while it runs. */
  readonly pid: number | undefined;
  /** Starts it and waits until it is ready; fails when it is stopped meanwhile, dies, or takes too long. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** What the owner of restarts is told. */
export interface RestartEvents {
  /** A process runs its changed source, so many milliseconds after the change. */
  onRestarted: (name: string, milliseconds: number, change: Change) => void;
  /** A process runs and does not become ready. */
  onSlow: (name: string, message: string) => void;
}

interface Restart {
  next: Change | undefined;
  underway: Promise<void> | undefined;
}

/** Starts processes again, each on its own: a change that comes during a restart begins it anew. */
export class Restarts {
  #processOf: (name: string) => Restartable;
  #events: RestartEvents;
  #restarts = new Map<string, Restart>();
  #closed = false;

  constructor(processOf: (name: string) => Restartable, events: RestartEvents) {
    this.#processOf = processOf;
    this.#events = events;
  }

  /** Starts a process again, because of the change. */
  request(name: string, change: Change): void {
    if (this.#closed) return;
    const restart = this.#restarts.get(name) ?? { next: undefined, underway: undefined };
    this.#restarts.set(name, restart);
    restart.next = change;
    if (restart.underway === undefined) restart.underway = this.#run(name, restart);
    else this.#interrupt(name);
  }

  /** Ends what is under way; afterwards no process is started. */
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
