import { metricCatalogue } from '@stanza/contracts';
import type { Clock } from '../clock.ts';
import type { Queryable } from '../database/database.ts';
import { statement } from '../database/statement.ts';
import type { Logger } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { DatabaseAnswers } from './database-answers.ts';

/** Seconds by which the clocks of a process and of its database may differ. */
const maxSeconds = 60;

/** Ticks from one comparison to the next while the clocks agree. */
const ticksBetween = 15;

const read = statement<{ at: Date; reads_alone: boolean }>(
  'clock-watch',
  "select clock_timestamp() as at, current_setting('transaction_read_only') = 'on' as reads_alone",
);

/** The dependencies of a {@link ClockWatch}. */
export interface ClockWatchDependencies {
  database: Pick<Queryable, 'query'>;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  answers: DatabaseAnswers;
}

/**
 * Compares the clock of the process with that of the database, and notes each answer of a database that
 * takes writes.
 * Retention and due times go by the database; what a process writes with its own clock, such as ids and the moments
 * that answers show, must not be far from it.
 */
export class ClockWatch {
  readonly #dependencies: ClockWatchDependencies;
  readonly #set: (seconds: number) => void;
  #aheadSeconds = 0;
  #ticks = 0;

  constructor(dependencies: ClockWatchDependencies) {
    this.#dependencies = dependencies;
    const difference = dependencies.metrics.gauge(metricCatalogue.runtime.clockDifference);
    this.#set = (seconds) => difference.set(seconds);
  }

  /** Why the process takes no work; undefined while the clocks agree. */
  get unreadiness(): string | undefined {
    const ahead = this.#aheadSeconds;
    if (Math.abs(ahead) <= maxSeconds) return undefined;
    const way = ahead > 0 ? 'ahead of' : 'behind';
    return `the clock of the process is ${Math.round(Math.abs(ahead))} s ${way} that of the database`;
  }

  /** Called once a second: compares the clocks every fifteen seconds, and each time while they differ. */
  async tick(): Promise<void> {
    this.#ticks += 1;
    if (this.unreadiness !== undefined || this.#ticks % ticksBetween === 0) await this.compare();
  }

  /** Compares the clocks once. */
  async compare(): Promise<void> {
    const { database, clock, log, answers } = this.#dependencies;
    const before = clock.now().getTime();
    const [row] = await database.query(read);
    const after = clock.now().getTime();
    if (!row) return;
    // A standby that was not promoted answers too, and takes no writes.
    if (!row.reads_alone) answers.answered();
    // The database answered at some moment in between.
    const at = row.at.getTime();
    const nearest = Math.min(Math.max(at, Math.min(before, after)), Math.max(before, after));
    const was = this.unreadiness;
    this.#aheadSeconds = (nearest - at) / 1_000;
    this.#set(this.#aheadSeconds);
    const reason = this.unreadiness;
    if (reason !== undefined && was === undefined)
      log.error({ reason }, 'clock differs from the database: not ready');
    if (reason === undefined && was !== undefined) log.info('clock agrees with the database again');
  }
}
