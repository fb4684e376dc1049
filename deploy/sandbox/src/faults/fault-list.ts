import type { AnsweringFault, Fault, FaultInput } from './fault.ts';

/** The effect of the active faults on one call. */
export interface Mishap {
  /** Delay of the answer, milliseconds. */
  readonly delay: number;
  /** The fault that answers instead of the method; undefined when the method answers. */
  readonly fault: AnsweringFault | undefined;
}

interface Entry {
  readonly id: number;
  readonly input: FaultInput;
  remaining: number;
}

/** The active faults, oldest first. */
export class FaultList {
  #entries: Entry[] = [];
  #lastId = 0;

  /** Adds a fault. */
  add(input: FaultInput): Fault {
    this.#lastId += 1;
    const entry = { id: this.#lastId, input, remaining: input.times ?? Number.POSITIVE_INFINITY };
    this.#entries.push(entry);
    return describe(entry);
  }

  /** All active faults, oldest first. */
  list(): Fault[] {
    return this.#entries.map(describe);
  }

  /** Removes all faults. */
  clear(): void {
    this.#entries = [];
  }

  /**
   * Applies the faults to one call: every delay, and the oldest of those that answer. Later ones wait, so faults with
   * `times` can be queued.
   *
   * @param channels the ids under which the call's conversation is known, none when it has no conversation
   */
  meet(method: string, channels: readonly string[]): Mishap {
    if (this.#entries.length === 0) return { delay: 0, fault: undefined };
    let delay = 0;
    let fault: AnsweringFault | undefined;
    for (const entry of this.#entries) {
      const { input } = entry;
      if (input.method !== method) continue;
      if (input.channel !== undefined && !channels.includes(input.channel)) continue;
      if (input.mode === 'latency') delay += input.value;
      else if (fault === undefined) fault = input;
      else continue;
      entry.remaining -= 1;
    }
    this.#entries = this.#entries.filter((entry) => entry.remaining > 0);
    return { delay, fault };
  }
}

function describe({ id, input, remaining }: Entry): Fault {
  return { id, ...input, remaining: Number.isFinite(remaining) ? remaining : null };
}
