import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A fault of a clock, while it lasts. */
export interface ClockFault {
  /** Puts the clock off by this many milliseconds instead. */
  step(offsetMs: number): void;
  /** Ends the fault; the clock is then off as the fault before it says, and right when there is none. */
  end(): void;
}

/** The clocks of all processes, each of which can be put off by itself, while it runs and before it does. */
export class Clocks {
  readonly #folder: string;
  readonly #faults = new Map<string, { offsetMs: number }[]>();

  /** Makes the files of the clocks; every clock is right at first. */
  constructor(folder: string, processes: readonly string[]) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    for (const process of processes) this.#write(process, 0);
  }

  /** The file that a process reads. */
  file(process: string): string {
    return join(this.#folder, process);
  }

  /** Puts a clock off by this many milliseconds, at once. Of faults that overlap the latest counts. */
  putOff(process: string, offsetMs: number): ClockFault {
    const fault = { offsetMs };
    const faults = this.#faults.get(process) ?? [];
    this.#faults.set(process, faults);
    faults.push(fault);
    const show = (): void => this.#write(process, faults.at(-1)?.offsetMs ?? 0);
    show();
    return {
      step: (next) => {
        fault.offsetMs = next;
        show();
      },
      end: () => {
        faults.splice(faults.indexOf(fault), 1);
        show();
      },
    };
  }

  #write(process: string, offsetMs: number): void {
    const file = this.file(process);
    // A reader sees the one offset or the other, and nothing in between.
    writeFileSync(`${file}.next`, String(offsetMs));
    renameSync(`${file}.next`, file);
  }
}
