import type { Stack } from '@stanza/local';

/** Freezes processes. One that is frozen twice goes on when both freezes are over. */
export class Freezer {
  readonly #stack: Pick<Stack, 'kill'>;
  readonly #frozen = new Map<string, number>();

  constructor(stack: Pick<Stack, 'kill'>) {
    this.#stack = stack;
  }

  /** Stops a process where it is; answers what lets it go on. */
  freeze(process: string): () => void {
    this.#frozen.set(process, this.#count(process) + 1);
    this.#stack.kill(process, 'SIGSTOP');
    return () => {
      const left = this.#count(process) - 1;
      this.#frozen.set(process, left);
      if (left === 0) this.#stack.kill(process, 'SIGCONT');
    };
  }

  #count(process: string): number {
    return this.#frozen.get(process) ?? 0;
  }
}
