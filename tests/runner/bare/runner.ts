import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { SerializableError, Test, TestResult } from '@jest/test-result';
import type { Config } from '@jest/types';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.ts';

const workerFile = fileURLToPath(new URL('./worker.ts', import.meta.url));
/** `STANZA_TEST_INSPECT=1` has one worker alone, which waits for a debugger. */
const isInspected = process.env.STANZA_TEST_INSPECT === '1';
/** A worker that holds more of the machine's memory is started again before its next file. */
const maxMemory = totalmem() * 0.07;

/** Milliseconds in which a worker ends by itself; what keeps one busy for longer is stuck. */
const endMs = 10_000;

/** A process that runs one test file after the other. */
class Worker {
  readonly #settings: WorkerSettings;
  #child: ChildProcess | undefined;

  constructor(settings: WorkerSettings) {
    this.#settings = settings;
  }

  /** Runs a file; fails when the process dies of it. */
  async run(path: string): Promise<TestResult> {
    const child = this.#child ?? this.#start();
    const answered = new AbortController();
    const ends = once(child, 'exit', { signal: answered.signal }).then(([code, signal]) => {
      this.#child = undefined;
      throw new Error(`The process of the tests ended with ${signal ?? `code ${code}`}.`);
    });
    try {
      this.#send(child, { run: path });
      const [answer]: FromWorker[] = await Promise.race([
        once(child, 'message', { signal: answered.signal }),
        ends,
      ]);
      if (answer === undefined) throw new Error('The process of the tests sent an empty answer.');
      const { result, memory } = answer;
      answered.abort();
      if (memory > maxMemory) await this.end();
      return result;
    } finally {
      answered.abort();
      ends.catch(() => undefined);
    }
  }

  /** Ends the process, and waits until it has ended. */
  async end(): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    const ended = once(child, 'exit');
    // It keeps what it has compiled as it exits, and the processes of the next run load it.
    child.disconnect();
    const stuck = setTimeout(() => child.kill('SIGKILL'), endMs);
    await ended;
    clearTimeout(stuck);
  }

  #start(): ChildProcess {
    const execArgv = ['--conditions=@stanza/source', '--no-warnings'];
    if (isInspected) execArgv.push('--inspect-brk');
    const child = fork(workerFile, { execArgv, serialization: 'advanced' });
    this.#send(child, { settings: this.#settings });
    this.#child = child;
    return child;
  }

  #send(child: ChildProcess, message: ToWorker): void {
    child.send(message);
  }
}

/**
 * Runs test files for jest in bare Node processes. Jest's own runner makes a world of its own for each file and
 * compiles every module in it again, which takes most of the time of small tests; here a module is loaded once in a
 * process, from its source, by Node itself.
 */
export default class BareRunner {
  readonly #config: Config.GlobalConfig;

  constructor(config: Config.GlobalConfig) {
    this.#config = config;
  }

  /** Runs the tests in their order, as many at a time as there are workers. */
  async runTests(
    tests: readonly Test[],
    _watcher: unknown,
    onStart: (test: Test) => Promise<void>,
    onResult: (test: Test, result: TestResult) => Promise<void>,
    onFailure: (test: Test, error: SerializableError) => Promise<void>,
  ): Promise<void> {
    const { maxWorkers, testTimeout = 0, testNamePattern } = this.#config;
    const [first] = tests;
    if (first === undefined) return;
    const { config: project } = first.context;
    const settings: WorkerSettings = { project, testTimeout, testNamePattern: testNamePattern || undefined };
    const left = [...tests];
    const work = async (): Promise<void> => {
      const worker = new Worker(settings);
      for (let test = left.shift(); test !== undefined; test = left.shift()) {
        await onStart(test);
        try {
          const result = await worker.run(test.path);
          const { testExecError, testResults } = result;
          // Jest would say of a file without tests that it has none, and not what kept it from having some.
          if (testExecError && testResults.length === 0) await onFailure(test, testExecError);
          else await onResult(test, result);
        } catch (error) {
          const { message, stack } = error instanceof Error ? error : new Error(String(error));
          await onFailure(test, { message, stack, code: undefined, type: 'Error' });
        }
      }
      await worker.end();
    };
    const workers = isInspected ? 1 : Math.min(maxWorkers, tests.length);
    await Promise.all(Array.from({ length: workers }, work));
  }
}
