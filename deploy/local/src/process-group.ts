import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { codeOf, messageOf, StackFailure } from './failure.ts';
import { identifyProcess, type ProcessIdentity, stillRuns } from './process-identity.ts';
import type { ProcessEvents, SupervisedProcess } from './supervised-process.ts';
import { waitUntil } from './wait.ts';

const recordSchema = z.record(z.string(), z.object({ pid: z.int(), started: z.string() }));

/**
 * The processes of one stack. Their numbers are stored in a file, so that the next start can end the processes of a
 * killed run.
 */
export class ProcessGroup {
  readonly events: ProcessEvents;
  #processes = new Map<string, SupervisedProcess>();
  #identities = new Map<string, ProcessIdentity>();
  #recordFile: string;
  #work: Promise<unknown>[] = [];
  #closed = false;

  /** `onChange` is called after each change of a number. */
  constructor(recordFile: string, onChange: () => void, onDeath: Omit<ProcessEvents, 'onPid'> = {}) {
    this.#recordFile = recordFile;
    this.events = {
      ...onDeath,
      onPid: (name, pid) => {
        try {
          this.#note(name, pid);
          onChange();
        } catch (error) {
          // The folder of a running stack was deleted, which does not end the stack.
          console.error('The state of the stack could not be written:', messageOf(error));
        }
      },
    };
  }

  /** Adds a process and starts it; refuses while the group is being stopped. */
  async start(added: SupervisedProcess): Promise<void> {
    if (this.#closed) throw new StackFailure('The stack is being stopped.', 'Start it again.');
    this.#processes.set(added.name, added);
    await added.start();
  }

  /** Tracks work that starts processes; the stop of the group waits for it. */
  track<T>(work: Promise<T>): Promise<T> {
    this.#work.push(work);
    return work;
  }

  /** The process of that name. */
  get(name: string): SupervisedProcess {
    const found = this.#processes.get(name);
    if (found !== undefined) return found;
    throw new StackFailure(
      `This stack has no process "${name}".`,
      `It has: ${[...this.#processes.keys()].join(', ')}.`,
    );
  }

  /** The names of all, in the order in which they were started. */
  get names(): string[] {
    return [...this.#processes.keys()];
  }

  /** The numbers of those that run, by name. */
  get pids(): Record<string, number> {
    return Object.fromEntries([...this.#identities].map(([name, { pid }]) => [name, pid]));
  }

  /**
   * Stops all in order: the last stage first, the members of a stage together, processes without a stage at the end.
   */
  async stop(stages: readonly (readonly string[])[]): Promise<void> {
    this.#closed = true;
    const named = new Set(stages.flat());
    const rest = [...this.#processes.keys()].filter((name) => !named.has(name));
    for (const stage of [rest, ...stages].reverse()) {
      await Promise.all(stage.map((name) => this.#processes.get(name)?.stop()));
    }
    // A start in flight ends by itself, since no process is added any longer; it may begin further work.
    while (this.#work.length > 0) await Promise.allSettled(this.#work.splice(0));
  }

  #note(name: string, pid: number | undefined): void {
    const identity = pid === undefined ? undefined : identifyProcess(pid);
    if (identity === undefined) this.#identities.delete(name);
    else this.#identities.set(name, identity);
    writeFileSync(`${this.#recordFile}.new`, JSON.stringify(Object.fromEntries(this.#identities)), {
      mode: 0o600,
    });
    renameSync(`${this.#recordFile}.new`, this.#recordFile);
  }
}

/** Ends the processes that an earlier, killed run left behind; returns their names. */
export const endLeftovers = async (recordFile: string): Promise<string[]> => {
  const left = Object.entries(readRecord(recordFile)).filter(([, identity]) => stillRuns(identity));
  for (const [name, { pid }] of left) {
    // SIGINT stops Postgres in order and quickly; the others lose nothing by SIGKILL.
    process.kill(pid, name === 'postgres' ? 'SIGINT' : 'SIGKILL');
  }
  const gone = await waitUntil(() => left.every(([, identity]) => !stillRuns(identity)), {
    timeoutMs: 20_000,
  });
  if (gone) return left.map(([name]) => name);
  const stubborn = left
    .filter(([, identity]) => stillRuns(identity))
    .map(([name, { pid }]) => `${name} (${pid})`);
  throw new StackFailure(
    `Processes of an earlier run do not end: ${stubborn.join(', ')}.`,
    'Kill them by hand ("kill -9 <number>") and start again.',
  );
};

const readRecord = (file: string): Record<string, ProcessIdentity> => {
  try {
    const parsed = recordSchema.safeParse(JSON.parse(readFileSync(file, 'utf8')));
    return parsed.success ? parsed.data : {};
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return {};
    throw error;
  }
};
