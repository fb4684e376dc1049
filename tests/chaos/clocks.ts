import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The clocks of all processes, each of which can be put off by itself, while it runs and before it does. */
export class Clocks {
  readonly #folder: string;

  /** Makes the files of the clocks; every clock is right at first. */
  constructor(folder: string, processes: readonly string[]) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    for (const process of processes) this.set(process, 0);
  }

  /** The file that a process reads. */
  file(process: string): string {
    return join(this.#folder, process);
  }

  /** Puts a clock off by so many milliseconds, at once; 0 puts it right. */
  set(process: string, offsetMs: number): void {
    const file = this.file(process);
    // A reader sees the one offset or the other, and nothing in between.
    writeFileSync(`${file}.next`, String(offsetMs));
    renameSync(`${file}.next`, file);
  }
}
