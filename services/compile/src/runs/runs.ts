import { extname } from 'node:path';
import { CodedError, metricCatalogue } from '@stanza/contracts';
import { PartSpent } from '@stanza/engine';
import { currentHolder, type Logger, type Metrics, Turns } from '@stanza/runtime';
import { Piscina } from 'piscina';
import type { Parsed } from '../domain/compilation.ts';
import { parseSource, type Task, type TemplateSource } from './task.ts';

/**
 * Does a task: here where it asks for little, else in a thread, once it is the turn of the organization.
 * @throws CodedError `service_unavailable` where no thread had room or time for it; nothing was done
 */
export type RunTask = <Arguments, Result>(task: Task<Arguments, Result>, args: Arguments) => Promise<Result>;

/** Longer templates are parsed in a thread; this many characters take some ten milliseconds. */
const charactersHere = 32_768;
/** The part of the engine's limits of work that a run may spend here, a few milliseconds; almost all need less. */
const partHere = 0.1;
/** Milliseconds without a task after which a thread ends. */
const idleMs = 60_000;
/** Megabytes of a thread; one that needs more ends, and its task with it. */
const threadMegabytes = 256;

const programs = new WeakMap<TemplateSource, Parsed>();

/** The program of a source, for as long as the source is kept. */
const parse = (source: TemplateSource): Parsed => {
  const known = programs.get(source);
  if (known) return known;
  const parsed = parseSource(source);
  programs.set(source, parsed);
  return parsed;
};

/** Does a task here, whatever it asks for. */
export const runWhole: RunTask = async (task, args) => task.run(args, { parse });

/** Whether a thread has ended before its task: it took too long, or too much memory. */
const isGivenUp = (err: unknown): boolean =>
  err instanceof Error && (err.name === 'AbortError' || Object(err).code === 'ERR_WORKER_OUT_OF_MEMORY');

/** The built file next to the built one, the source next to the source. */
const threadFile = new URL(`./thread${extname(import.meta.url)}`, import.meta.url).href;

/** How many threads there are at most, and how much waits for them. */
export interface RunsOptions {
  threads: number;
  /** Tasks of an organization that wait for a thread; 64 unless given. */
  waiting?: number;
  /** Milliseconds for which each does; 4 s unless given. */
  waitMs?: number;
  /**
   * Milliseconds after which a task times out and its thread is terminated; 5 s unless given. The engine's limits end each far
   * earlier.
   */
  taskMs?: number;
  metrics: Metrics;
  log: Logger;
}

/**
 * The work of the engine. Threads do what would hold up the process, and organizations take turns at them. A thread
 * starts when it is needed, and ends when nothing has needed it for a while.
 */
export class Runs {
  readonly #pool: Piscina;
  readonly #turns: Turns;
  readonly #taskMs: number;
  readonly #handedOn: (reason: 'size' | 'work') => void;

  constructor({ threads, waiting = 64, waitMs = 4_000, taskMs = 5_000, metrics, log }: RunsOptions) {
    this.#taskMs = taskMs;
    this.#pool = new Piscina({
      filename: threadFile,
      minThreads: 0,
      maxThreads: threads,
      idleTimeout: idleMs,
      resourceLimits: { maxOldGenerationSizeMb: threadMegabytes },
    });
    // Of a thread that has no task: the task that it had is told of its end.
    this.#pool.on('error', (err) => log.error({ err }, 'a thread of the engine failed'));
    this.#turns = new Turns({
      kind: 'long_runs',
      places: threads,
      waiting,
      waitMs,
      metrics,
      subject: 'Too many compiles that ask for much work',
    });
    const handedOn = metrics.counter(metricCatalogue.compile.longRuns);
    this.#handedOn = (reason) => handedOn.inc({ reason });
  }

  /** See {@link RunTask}. */
  readonly run: RunTask = async (task, args) => {
    if (task.charactersOf(args) > charactersHere) return this.#runElsewhere(task, args, 'size');
    try {
      return task.run(args, { parse, part: partHere });
    } catch (err) {
      if (!(err instanceof PartSpent)) throw err;
      return this.#runElsewhere(task, args, 'work');
    }
  };

  /** Ends the threads. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }

  async #runElsewhere<Arguments, Result>(
    { name }: Task<Arguments, Result>,
    args: Arguments,
    reason: 'size' | 'work',
  ): Promise<Result> {
    this.#handedOn(reason);
    const order = JSON.stringify({ name, args });
    return JSON.parse(await this.#turns.run(currentHolder(), () => this.#inThread(order)));
  }

  async #inThread(order: string): Promise<string> {
    try {
      return await this.#pool.run(order, { signal: AbortSignal.timeout(this.#taskMs) });
    } catch (err) {
      if (!isGivenUp(err)) throw err;
      const message = 'The compile took more time or memory than a thread has; nothing was done.';
      const facts = { message, retry_after: 1, nothing_done: true };
      throw new CodedError('service_unavailable', facts, { cause: err });
    }
  }
}
