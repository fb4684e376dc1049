import { writeFileSync } from 'node:fs';
import type { AggregatedResult, Reporter, Test, TestResult } from '@jest/reporters';
import { formatTestResults } from '@jest/test-result';
import { colours } from '@stanza/local/progress';
import { levelOf } from './levels.ts';
import { readPlan, reportFileOf } from './plan.ts';
import { progressLine, RunProgress } from './run-progress.ts';

/** Milliseconds between two lines of progress where they cannot be drawn over one another. */
const plainEveryMs = 15_000;
const movingEveryMs = 250;

/**
 * What jest shows while it runs: one line of progress, and every failed file whole, with what it printed. Files that
 * pass are only counted.
 */
export default class ProgressReporter implements Reporter {
  readonly #stream = process.stdout;
  readonly #moving = process.stdout.isTTY === true;
  readonly #paint = colours();
  readonly #progress = new RunProgress(readPlan(process.env), () => performance.now());
  readonly #running = new Map<string, string>();
  #timer: NodeJS.Timeout | undefined;

  onRunStart(): void {
    this.#timer = setInterval(() => this.#draw(), this.#moving ? movingEveryMs : plainEveryMs);
    this.#timer.unref();
  }

  onTestFileStart({ path }: Test): void {
    this.#running.set(path, levelOf(path) ?? '');
    this.#progress.start(path);
  }

  onTestFileResult({ path }: Test, result: TestResult): void {
    this.#running.delete(path);
    this.#progress.finish(path);
    if (result.numFailingTests > 0 || result.testExecError != null) this.#showFailure(path, result);
  }

  onRunComplete(_contexts: unknown, results: AggregatedResult): void {
    clearInterval(this.#timer);
    this.#clear();
    const file = reportFileOf(process.env);
    if (file !== undefined) writeFileSync(file, JSON.stringify(formatTestResults(results)));
  }

  #showFailure(path: string, { failureMessage, console: printed }: TestResult): void {
    this.#clear();
    this.#stream.write(`\n  ${this.#paint.red('✗')} ${path.replace(`${process.cwd()}/`, '')}\n`);
    for (const { message } of printed ?? []) this.#stream.write(`    ${message}\n`);
    this.#stream.write(`${failureMessage ?? ''}\n`);
  }

  #draw(): void {
    const levels = [...new Set(this.#running.values())];
    const line = progressLine(levels, this.#progress.state);
    this.#clear();
    this.#stream.write(this.#moving ? `  ${line}` : `  ${line}\n`);
  }

  #clear(): void {
    if (this.#moving) this.#stream.write('\r\x1b[2K');
  }
}
