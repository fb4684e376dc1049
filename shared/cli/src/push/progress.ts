import { type LockEntry, writeLock } from '../files/lock-file.ts';
import type { Action } from '../plan/plan.ts';
import type { Situation } from '../plan/situation.ts';

/** What was done to a template, or to another resource. */
export interface Pushed {
  readonly key: string;
  readonly done: readonly Action[];
  readonly version_number?: number;
}

/** What a push has done so far, and the base state, which is written after each step. */
export class Progress {
  readonly #situation: Situation;
  readonly #print: (line: string) => void;
  readonly #lock: Map<string, LockEntry>;
  readonly #pushed = new Map<string, Pushed>();
  #at: string | undefined;

  constructor(situation: Situation, print: (line: string) => void) {
    this.#situation = situation;
    this.#print = print;
    this.#lock = new Map(situation.lock);
  }

  /** What was done, in its order. */
  get pushed(): Pushed[] {
    return [...this.#pushed.values()];
  }

  /** What it works at, which an error of the API does not name. */
  get at(): string | undefined {
    return this.#at;
  }

  /** Begins with a template, or another resource. */
  begin(key: string): void {
    this.#at = key;
  }

  /** Says what was done. */
  did(key: string, action: Action, line: string, version_number?: number): void {
    const before = this.#pushed.get(key);
    const number = version_number ?? before?.version_number;
    const done = [...(before?.done ?? []), action];
    this.#pushed.set(key, { key, done, ...(number !== undefined && { version_number: number }) });
    this.#print(line);
  }

  /** What files and API agreed on last. */
  entryOf(key: string): LockEntry | undefined {
    return this.#lock.get(key);
  }

  /** Notes what files and API agree on; undefined where neither has it any more. */
  async agree(key: string, entry: LockEntry | undefined): Promise<void> {
    const { project, environment } = this.#situation;
    if (entry) this.#lock.set(key, entry);
    else this.#lock.delete(key);
    await writeLock(project.folder, environment, this.#lock);
  }
}
