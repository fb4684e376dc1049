import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { asFailure, StackFailure } from './failure.ts';
import { lastLines } from './logs.ts';
import { standsStill } from './process-state.ts';
import { tether } from './tether.ts';
import { waitUntil } from './wait.ts';

/** Description of one process of the stack. Times in milliseconds. */
export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  /** The whole environment; no variable is inherited. */
  env: Record<string, string>;
  cwd: string;
  /** The user to run as, where it is not the starter's. */
  account?: { uid: number; gid: number };
  logFile: string;
  /** Polled after a start; a thrown StackFailure ends the wait. */
  isReady: () => Promise<boolean>;
  /** Stops it in order. */
  stopSignal: NodeJS.Signals;
  /** Sent when the supervisor has died. */
  orphanSignal: NodeJS.Signals;
  /** Time for an orderly exit before SIGKILL. */
  stopTimeoutMs: number;
  /** Timeout of the first start. */
  readyTimeoutMs: number;
  /** True to leave it down until the next `start` when it dies before it is ready, or keeps dying. */
  staysDown?: boolean;
}

/** Callbacks for the owner of a process. */
export interface ProcessEvents {
  /** Its number has changed; undefined when it has ended. */
  onPid?: (name: string, pid: number | undefined) => void;
  /** It died, with its exit, and is restarted. Not called while it keeps dying. */
  onRestart?: (name: string, how: string) => void;
  /** It keeps dying: the deaths in a row and its last lines. */
  onCrashLoop?: (name: string, deaths: number, lines: string[]) => void;
  /** It died and stays down, with its exit. Only with `staysDown`. */
  onDown?: (name: string, how: string) => void;
}

const firstDelayMs = 200;
const longestDelayMs = 5_000;
/** A process that was ready for this long resets the backoff, milliseconds. */
const steadyAfterMs = 1_000;
/** Milliseconds until a process that goes on running after it was told to stand still is a failure. */
const freezePatienceMs = 30_000;
/** A question takes a millisecond of the cores that the processes start on. */
const readyPollMs = 100;
const deathsOfALoop = 3;
const linesShown = 16;

/** Backoff after a number of deaths in a row, milliseconds: 200, doubled up to 5,000. */
export const restartDelay = (deaths: number): number =>
  Math.min(firstDelayMs * 2 ** Math.max(deaths - 1, 0), longestDelayMs);

/** One process that is restarted whenever it dies, until it is stopped. */
export class SupervisedProcess {
  readonly name: string;
  readonly logFile: string;
  #spec: ProcessSpec;
  #events: ProcessEvents;
  #child: ChildProcess | undefined;
  #wanted = false;
  #everReady = false;
  #ready = false;
  #readySince = 0;
  #deaths = 0;
  #restart: NodeJS.Timeout | undefined;
  #failure: StackFailure | undefined;

  constructor(spec: ProcessSpec, events: ProcessEvents = {}) {
    this.name = spec.name;
    this.logFile = spec.logFile;
    this.#spec = spec;
    this.#events = events;
  }

  /** Its number while it runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** True while it runs and has been ready since its last start. */
  get ready(): boolean {
    return this.#ready;
  }

  /**
   * Starts it and waits until it is ready. Fails with a StackFailure that holds its last log lines when it dies
   * three times before it was ever ready, or takes too long.
   */
  async start(): Promise<void> {
    if (this.#wanted) return this.whenReady();
    this.#wanted = true;
    this.#deaths = 0;
    this.#failure = undefined;
    this.#spawn();
    await this.whenReady();
  }

  /** Waits until it is ready, through restarts. */
  async whenReady(): Promise<void> {
    const timeoutMs = this.#spec.readyTimeoutMs;
    const inTime = await waitUntil(() => this.#ready || this.#failure !== undefined || !this.#wanted, {
      timeoutMs,
      everyMs: 5,
    });
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#ready) return;
    throw this.#describe(inTime ? 'was stopped before it was ready' : `was not ready within ${timeoutMs} ms`);
  }

  /** Sends it a signal; it is restarted when it dies. False when no process runs. */
  kill(signal: NodeJS.Signals): boolean {
    return this.#child?.kill(signal) ?? false;
  }

  /**
   * Stops it where it is, until `thaw`. Answers when none of its threads runs any more, which is later than the signal was
   * sent: on a busy machine by milliseconds in which it still answers.
   */
  async freeze(): Promise<void> {
    const pid = this.pid;
    if (pid === undefined || !this.kill('SIGSTOP')) return;
    if (await waitUntil(() => standsStill(pid), { timeoutMs: freezePatienceMs, everyMs: 1 })) return;
    throw this.#describe(`did not stand still within ${freezePatienceMs} ms`);
  }

  /** Lets it go on after `freeze`. */
  thaw(): void {
    this.kill('SIGCONT');
  }

  /** Stops it in order, and kills it after the timeout; it stays down until `start`. */
  async stop(signal: NodeJS.Signals = this.#spec.stopSignal): Promise<void> {
    this.#wanted = false;
    clearTimeout(this.#restart);
    const child = this.#child;
    if (child === undefined) return;
    const gone = () => this.#child !== child;
    child.kill(signal);
    if (await waitUntil(gone, { timeoutMs: this.#spec.stopTimeoutMs, everyMs: 5 })) return;
    child.kill('SIGKILL');
    await waitUntil(gone, { timeoutMs: 5_000, everyMs: 5 });
  }

  #spawn(): void {
    const { command, args, env, cwd, account, logFile, orphanSignal } = this.#spec;
    const line = tether().wrap({ command, args }, orphanSignal);
    const log = openSync(logFile, 'a', 0o600);
    // In its own session: Ctrl-C reaches only the supervisor, which then stops everything in order.
    const child = spawn(line.command, line.args, {
      env,
      cwd,
      detached: true,
      stdio: ['ignore', log, log],
      ...account,
    });
    closeSync(log);
    this.#child = child;
    child.once('error', (error) => this.#onEnd(child, `could not be started: ${error.message}`));
    child.once('exit', (code, signal) => this.#onEnd(child, `ended with ${signal ?? `code ${code}`}`));
    if (child.pid === undefined) return;
    tether().hold(child.pid, orphanSignal);
    this.#events.onPid?.(this.name, child.pid);
    void this.#awaitReady(child);
  }

  async #awaitReady(child: ChildProcess): Promise<void> {
    try {
      await waitUntil(async () => this.#child !== child || (await this.#spec.isReady()), {
        timeoutMs: Number.POSITIVE_INFINITY,
        everyMs: readyPollMs,
      });
    } catch (error) {
      this.#failure = asFailure(error);
      return;
    }
    if (this.#child !== child) return;
    this.#ready = true;
    this.#everReady = true;
    this.#readySince = performance.now();
  }

  #onEnd(child: ChildProcess, how: string): void {
    if (this.#child !== child) return;
    const wasReady = this.#ready;
    const steady = wasReady && performance.now() - this.#readySince >= steadyAfterMs;
    this.#child = undefined;
    this.#ready = false;
    if (child.pid !== undefined) tether().release(child.pid);
    this.#events.onPid?.(this.name, undefined);
    if (!this.#wanted) return;
    this.#deaths = steady ? 1 : this.#deaths + 1;
    if (this.#givesUp(wasReady)) {
      this.#wanted = false;
      this.#failure = this.#describe(how);
      if (this.#spec.staysDown) this.#events.onDown?.(this.name, how);
      return;
    }
    if (this.#deaths < deathsOfALoop) this.#events.onRestart?.(this.name, how);
    if (this.#deaths === deathsOfALoop)
      this.#events.onCrashLoop?.(this.name, this.#deaths, lastLines(this.logFile, linesShown));
    this.#restart = setTimeout(() => this.#spawn(), restartDelay(this.#deaths));
  }

  #givesUp(wasReady: boolean): boolean {
    if (this.#spec.staysDown) return !wasReady || this.#deaths >= deathsOfALoop;
    return this.#deaths === deathsOfALoop && !this.#everReady;
  }

  #describe(how: string): StackFailure {
    const lines = lastLines(this.logFile, linesShown).map((line) => `    ${line}`);
    return new StackFailure([`${this.name} ${how}.`, ...lines].join('\n'), this.#advice());
  }

  #advice(): string {
    return `Its whole log is in ${this.logFile}.`;
  }
}
