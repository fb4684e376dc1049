import { spawn } from 'node:child_process';
import { createInterface as createLines } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import { addAbortSignal, type Readable, type Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { exitCodes } from './problem.ts';
import type { Environment } from './profiles.ts';
import { shown } from './show/style.ts';

/** What a command reads and prints with. */
export interface Terminal {
  readonly env: Environment;
  /** The folder in which the command is run. */
  readonly folder: string;
  /** Whether the results go to a terminal, which can show colours. */
  readonly hasColours: boolean;
  /** Characters of a line. */
  readonly columns: number;
  /** Ends what would go on. */
  readonly signal: AbortSignal;
  /** The results, for people or programs. */
  out(line: string): void;
  /** Everything else. */
  note(line: string): void;
  /** All of what is given to the command. */
  input(): Promise<string>;
  /** What is given to the command, line by line as it comes. */
  lines(): AsyncIterable<string>;
  /** Asks a person; undefined where there is none. */
  ask: ((question: string) => Promise<string>) | undefined;
  /** Leads a person to a page: opens it in their browser where that can be, and says where it is. */
  browse(url: string): void;
  /** Waits, or ends at once with the signal. */
  sleep(milliseconds: number): Promise<void>;
}

/** Asks on a terminal. The end of its input (Ctrl+D) is an empty answer, which agrees to nothing. */
export const questioner =
  (input: Readable, output: Writable, signal: () => AbortSignal) =>
  async (question: string): Promise<string> => {
    const prompt = createInterface({ input, output });
    // While a question is open, the terminal reports Ctrl+C as an event and sends no signal.
    prompt.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    const ended = new Promise<string>((resolve) => prompt.once('close', () => resolve('')));
    const answer = prompt.question(question, { signal: signal() }).catch((error) => {
      // Some versions of Node tell the end as an abort, others leave the question open.
      if (signal().aborted || Object(error).name !== 'AbortError') throw error;
      return '';
    });
    try {
      return await Promise.race([answer, ended]);
    } finally {
      prompt.close();
    }
  };

const prompter = (signal: () => AbortSignal): Terminal['ask'] =>
  process.stdin.isTTY && process.stderr.isTTY ? questioner(process.stdin, process.stderr, signal) : undefined;

/**
 * Ends with the first interrupt; a second one ends the process as usual. So does the first one until
 * the signal is read.
 */
const interrupts = (): (() => AbortSignal) => {
  let ending: AbortController | undefined;
  return () => {
    if (ending === undefined) {
      const interrupt = new AbortController();
      process.once('SIGINT', () => interrupt.abort());
      ending = interrupt;
    }
    return ending.signal;
  };
};

/** The width of lines where there is no terminal: tables in logs and files break nowhere. */
const wide = 200;

/** Whether output is coloured: on a terminal that can, where `NO_COLOR` says nothing. */
export const wantsColours = (env: Environment, isTerminal: boolean): boolean =>
  isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';

const openers: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  linux: ['xdg-open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

const browse = (url: string): void => {
  process.stderr.write(`Sign in at ${url}\n`);
  const [command, ...words] = openers[process.platform] ?? [];
  if (command === undefined) return;
  const opening = spawn(command, [...words, url], { stdio: 'ignore', detached: true });
  // Where no browser can be opened the address that was said is opened by hand.
  opening.once('error', () => undefined);
  opening.unref();
};

const isClosedPipe = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EPIPE';

/**
 * Ends the process once its results cannot be written: without an error where the pipe is closed, as `head` does after its
 * lines, else as a failure.
 */
const outliveReaders = (): void => {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (!isClosedPipe(error)) {
      process.stderr.write(`The results cannot be written: ${error.code ?? error.message}.\n`);
      process.exit(exitCodes.failure);
    }
    // The results are printed last: by then the command has its exit code.
    setImmediate(() => process.exit());
  });
  process.stderr.on('error', (error) => {
    if (!isClosedPipe(error)) throw error;
  });
};

/** The terminal of this process. */
export const processTerminal = (): Terminal => {
  outliveReaders();
  const signal = interrupts();
  const hasColours = wantsColours(process.env, process.stdout.isTTY === true);
  return {
    env: process.env,
    // Read when it is needed: a folder that was deleted fails the commands that work in it, with a reason.
    get folder() {
      return process.cwd();
    },
    hasColours,
    columns: process.stdout.columns ?? wide,
    get signal() {
      return signal();
    },
    out: (line) => process.stdout.write(`${shown(line, hasColours)}\n`),
    note: (line) => process.stderr.write(`${shown(line, process.stderr.isTTY === true)}\n`),
    input: () => text(addAbortSignal(signal(), process.stdin)),
    lines: () => createLines({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY, signal: signal() }),
    ask: prompter(signal),
    browse,
    sleep: async (milliseconds) => {
      try {
        await delay(milliseconds, undefined, { signal: signal() });
      } catch (error) {
        if (!signal().aborted) throw error;
      }
    },
  };
};
