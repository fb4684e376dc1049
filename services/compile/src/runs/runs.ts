import { extname } from 'node:path';
import { metricCatalogue } from '@stanza/contracts';
import { PartSpent } from '@stanza/engine';
import { currentHolder, type Logger, type Metrics, Turns } from '@stanza/runtime';
import { Piscina } from 'piscina';
import type { Parsed } from '../domain/compilation.ts';
import type { Task } from './task.ts';
import { parseSource, type TemplateSource } from './template-source.ts';

/** Does a task: here where it asks for little, else in a thread, once it is the turn of the organization. */
export type RunTask = <Arguments, Result>(task: Task<Arguments, Result>, args: Arguments) => Promise<Result>;

/** Longer templates are parsed in a thread; this many characters take some ten milliseconds. */
const charactersHere = 32_768;
/** The part of the engine's limits of work that a run may spend here, a few milliseconds; almost all need less. */
const partHere = 0.1;
/** Tasks of an organization that wait for a thread, and milliseconds for which each does. */
const waiting = 32;
const waitMs = 3_000;
/** Milliseconds without a task after which a thread ends. */
const idleMs = 60_000;
/** Milliseconds after which a task and its thread are given up; the engine's limits end each task far earlier. */
const taskMs = 10_000;
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

/** The built file beside the built one, the source beside the source. */
const threadFile = new URL(`./thread${extname(import.meta.url)}`, import.meta.url).href;

/** How many threads there are at most. */
export interface RunsOptions {
  threads: number;
  metrics: Metrics;
  log: Logger;
}

/**
 * The work of the engine. What would hold up everybody's is done by threads, for which organizations take turns. They
 * start when they are needed, and end when nothing has needed them for a while.
 */
export class Runs {
  readonly #pool: Piscina;
  readonly #turns: Turns;
  readonly #handedOn: (reason: 'size' | 'work') => void;

  constructor({ threads, metrics, log }: RunsOptions) {
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

  /**
   * See {@link RunTask}.
   * @throws CodedError `service_unavailable` when too much of the organization waits for a thread
   */
  readonly run: RunTask = async (task, args) => {
    if (task.parses(args) > charactersHere) return this.#runElsewhere(task, args, 'size');
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

  #runElsewhere<Arguments, Result>(
    { name }: Task<Arguments, Result>,
    args: Arguments,
    reason: 'size' | 'work',
  ): Promise<Result> {
    this.#handedOn(reason);
    return this.#turns.run(currentHolder(), () =>
      this.#pool.run({ name, args }, { signal: AbortSignal.timeout(taskMs) }),
    );
  }
}
