import { useEffect, useState } from 'react';
import { runInWorker } from './engine.ts';
import type { Evaluated, Evaluation } from './evaluate.ts';

/** The latest answer, and what was asked for it. */
export interface Shown {
  readonly evaluation?: Evaluation | undefined;
  /** Why there is no answer. */
  readonly error?: Error | undefined;
  /** A newer template or newer data is being run. */
  readonly isBehind: boolean;
}

/** Only the newest of the questions that wait is asked. */
class Newest {
  #waiting: (() => Promise<void>) | undefined;
  #isRunning = false;

  ask(run: () => Promise<void>): void {
    this.#waiting = run;
    if (!this.#isRunning) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isRunning = true;
    for (let run = this.#waiting; run !== undefined; run = this.#waiting) {
      this.#waiting = undefined;
      await run();
    }
    this.#isRunning = false;
  }
}

/** What the engine makes of a template and data; the one before stays until the next is there. */
export const useEvaluation = (given: Evaluated | undefined): Shown => {
  const [newest] = useState(() => new Newest());
  const [shown, show] = useState<{ given?: Evaluated; evaluation?: Evaluation; error?: Error }>({});
  useEffect(() => {
    if (given === undefined) return;
    let isCurrent = true;
    newest.ask(async () => {
      try {
        const evaluation = await runInWorker(given);
        if (isCurrent) show({ given, evaluation });
      } catch (error) {
        if (isCurrent) show({ given, error: error instanceof Error ? error : new Error(String(error)) });
      }
    });
    return () => {
      isCurrent = false;
    };
  }, [given, newest]);
  return { evaluation: shown.evaluation, error: shown.error, isBehind: shown.given !== given };
};
