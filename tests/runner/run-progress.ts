import type { Plan } from './plan.ts';

/** Seconds of the plan that must be done before the speed of this run is believed. */
const enoughSeconds = 20;
/** Files that run at one time, where the run has not yet shown how fast it is. */
const usualAtOnce = 2;

/** How far a run has come. */
export interface RunState {
  filesDone: number;
  files: number;
  /** Seconds that are probably left; undefined once each file that is open runs for longer than it took before. */
  secondsLeft: number | undefined;
}

/** Follows a run through its plan: which files are done, and how long the rest will take at the speed so far. */
export class RunProgress {
  readonly #plan: Plan;
  readonly #now: () => number;
  readonly #begun: number;
  readonly #started = new Map<string, number>();
  readonly #done = new Set<string>();

  /** @param now milliseconds of a clock that only goes forward */
  constructor(plan: Plan, now: () => number) {
    this.#plan = plan;
    this.#now = now;
    this.#begun = now();
  }

  /** A file begins to run. */
  start(file: string): void {
    this.#started.set(file, this.#now());
  }

  /** A file has been run. */
  finish(file: string): void {
    this.#done.add(file);
  }

  /** How far the run is at this moment. */
  get state(): RunState {
    let secondsDone = 0;
    let secondsOpen = 0;
    for (const [file, seconds] of this.#plan) {
      const run = this.#done.has(file) ? seconds : Math.min(seconds, this.#secondsOf(file));
      secondsDone += run;
      secondsOpen += seconds - run;
    }
    const elapsed = (this.#now() - this.#begun) / 1_000;
    const speed = secondsDone >= enoughSeconds && elapsed > 0 ? secondsDone / elapsed : usualAtOnce;
    const files = new Set([...this.#plan.keys(), ...this.#done]).size;
    const filesDone = this.#done.size;
    const isLate = filesDone < files && secondsOpen === 0;
    return { filesDone, files, secondsLeft: isLate ? undefined : secondsOpen / speed };
  }

  /** Seconds for which a file has been running. */
  #secondsOf(file: string): number {
    const started = this.#started.get(file);
    return started === undefined ? 0 : (this.#now() - started) / 1_000;
  }
}

/** Seconds as a person says them: `40 s`, `3 min 20 s`; to ten seconds, since it is an estimate. */
export const inWords = (seconds: number): string => {
  const rounded = Math.max(10, Math.round(seconds / 10) * 10);
  const minutes = Math.floor(rounded / 60);
  const rest = rounded % 60;
  if (minutes === 0) return `${rest} s`;
  return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
};

const restInWords = ({ filesDone, files, secondsLeft }: RunState): string => {
  if (filesDone === files) return 'finishing';
  return secondsLeft === undefined ? 'longer than the last time' : `about ${inWords(secondsLeft)} left`;
};

/** The line of progress: the level that runs, files done of all, time left. */
export const progressLine = (levels: readonly string[], state: RunState): string =>
  `${levels.join(', ')}: ${state.filesDone} of ${state.files} files, ${restInWords(state)}`;
