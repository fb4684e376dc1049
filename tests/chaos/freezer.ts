/** What it freezes: the processes of a stack, by name. */
interface Freezable {
  process(name: string): { freeze(): Promise<void>; thaw(): void };
}

/** Freezes processes. One that is frozen twice goes on when both freezes are over. */
export class Freezer {
  readonly #stack: Freezable;
  readonly #frozen = new Map<string, number>();

  constructor(stack: Freezable) {
    this.#stack = stack;
  }

  /** Stops a process where it is; answers what lets it go on. */
  async freeze(process: string): Promise<() => void> {
    this.#frozen.set(process, this.#count(process) + 1);
    await this.#stack.process(process).freeze();
    return () => {
      const left = this.#count(process) - 1;
      this.#frozen.set(process, left);
      if (left === 0) this.#stack.process(process).thaw();
    };
  }

  #count(process: string): number {
    return this.#frozen.get(process) ?? 0;
  }
}
