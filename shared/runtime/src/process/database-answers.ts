import { metricCatalogue } from '@stanza/contracts';
import type { Clock } from '../clock.ts';
import type { Metrics } from '../observability/metrics.ts';

/**
 * Measures for how long no database that takes writes has answered. Until the first answer that is infinite: a process
 * that restarts for want of a database would otherwise begin at zero each time, and no alert would see the outage.
 */
export class DatabaseAnswers {
  readonly #clock: Pick<Clock, 'monotonic'>;
  /** Of the monotonic clock. */
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor({ clock, metrics }: { clock: Pick<Clock, 'monotonic'>; metrics: Metrics }) {
    this.#clock = clock;
    metrics.gauge(metricCatalogue.database.unansweredSeconds, (gauge) =>
      gauge.set((clock.monotonic() - this.#answeredAt) / 1_000),
    );
  }

  /** Called when one has answered. */
  answered(): void {
    this.#answeredAt = this.#clock.monotonic();
  }
}
