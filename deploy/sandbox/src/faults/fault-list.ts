import type { AnsweringFault, Fault, FaultInput } from './fault.ts';

/** What the faults in force make of one call. */
export interface Mishap {
  /** How long the answer is held back, in milliseconds. */
  readonly delay: number;
  /** What answers in the method's stead; undefined: the method does. */
  readonly fault: AnsweringFault | undefined;
}

interface Entry {
  readonly id: number;
  readonly input: FaultInput;
  remaining: number;
}

/** The faults in force, oldest first. */
export class FaultList {
  #entries: Entry[] = [];
  #lastId = 0;

  /** Puts a fault in force. */
  add(input: FaultInput): Fault {
    this.#lastId += 1;
    const entry = { id: this.#lastId, input, remaining: input.times ?? Number.POSITIVE_INFINITY };
    this.#entries.push(entry);
    return describe(entry);
  }

  /** All faults in force, oldest first. */
  list(): Fault[] {
    return this.#entries.map(describe);
  }

  /** Puts an end to all faults. */
  clear(): void {
    this.#entries = [];
  }

  /**
   * Uses up the faults that one call meets: every delay, and the oldest of those that answer. Later ones wait for their turn,
   * so faults with `times` can be queued up.
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
