import { type LogPlace, metricCatalogue } from '@stanza/contracts';
import type { Clock, Database, Metrics } from '@stanza/runtime';
import { whereLogIsSettled } from './store/message-changes.ts';

/** Milliseconds for which a look is shared. */
export const sharedMs = 250;

/** What the look works with. */
interface SettledLogDependencies {
  database: Pick<Database, 'query'>;
  clock: Clock;
  metrics: Metrics;
}

/**
 * Up to where the log of messages is settled. Streams of all organizations share a look: a place that was settled once
 * stays so, and an earlier one leaves changes to the read after it.
 */
export class SettledLog {
  readonly #dependencies: SettledLogDependencies;
  readonly #setHeldBack: (seconds: number) => void;
  #last: { begunAt: number; place: Promise<LogPlace> } | undefined;
  /** Where the log has stood since a moment because a transaction still runs. */
  #held: { at: number; since: number } | undefined;

  constructor(dependencies: SettledLogDependencies) {
    this.#dependencies = dependencies;
    const heldBack = dependencies.metrics.gauge(metricCatalogue.delivery.messageChangesHeldBack);
    this.#setHeldBack = (seconds) => heldBack.set(seconds);
  }

  /** The place before which nothing comes any more. It is read before the changes, by a statement of its own. */
  place(): Promise<LogPlace> {
    const now = this.#dependencies.clock.monotonic();
    if (this.#last && now - this.#last.begunAt < sharedMs) return this.#last.place;
    const look = { begunAt: now, place: this.#look() };
    this.#last = look;
    // A failure is not shared with those who come later.
    look.place.catch(() => {
      if (this.#last === look) this.#last = undefined;
    });
    return look.place;
  }

  async #look(): Promise<LogPlace> {
    const { place, isHeld } = await whereLogIsSettled(this.#dependencies.database);
    const [at, now] = [place.at.getTime(), this.#dependencies.clock.monotonic()];
    if (!isHeld) this.#held = undefined;
    else if (this.#held?.at !== at) this.#held = { at, since: now };
    this.#setHeldBack(this.#held ? (now - this.#held.since) / 1_000 : 0);
    return place;
  }
}
