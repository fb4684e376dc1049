import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import { jestExpect } from '@jest/expect';
import { createEmptyTestResult, type TestResult } from '@jest/test-result';
import type { Circus } from '@jest/types';
import { getState, resetState, run, setState } from 'jest-circus';
import { formatExecError, formatResultsErrors } from 'jest-message-util';
import { configureGlobals, restoreGlobals } from './jest-globals.ts';
import type { WorkerSettings } from './messages.ts';

type Printed = NonNullable<TestResult['console']>;
type Assertion = TestResult['testResults'][number];

/** Jest's name of the block around all others. */
const rootBlock = 'ROOT_DESCRIBE_BLOCK';
const methods = ['log', 'info', 'warn', 'error', 'debug'] as const;

/** Keeps what a file prints, to be shown if the file fails. */
const keepConsole = (printed: Printed): (() => void) => {
  const original = Object.fromEntries(methods.map((name) => [name, console[name]]));
  for (const name of methods) {
    console[name] = (...args: unknown[]) => {
      const message = args.map((it) => (typeof it === 'string' ? it : inspect(it))).join(' ');
      printed.push({ message, origin: '', type: name });
    };
  }
  return () => void Object.assign(console, original);
};

/** Gives the process back the variables that it had. */
const restoreEnvironment = (before: NodeJS.ProcessEnv): void => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
};

const statusOf = ({ status, errors }: Circus.TestResult): Assertion['status'] => {
  if (status === 'skip') return 'pending';
  if (status === 'todo') return 'todo';
  return errors.length > 0 ? 'failed' : 'passed';
};

const asAssertion = (it: Circus.TestResult): Assertion => {
  const titles = it.testPath.filter((name) => name !== rootBlock);
  const title = titles.at(-1) ?? '';
  return {
    ancestorTitles: titles.slice(0, -1),
    duration: it.duration ?? null,
    failureDetails: it.errorsDetailed,
    failureMessages: [...it.errors],
    fullName: titles.join(' '),
    invocations: it.invocations,
    location: it.location ?? null,
    numPassingAsserts: it.numPassingAsserts,
    retryReasons: [...it.retryReasons],
    status: statusOf(it),
    title,
  };
};

/**
 * The errors that no test of this process catches. Those that arise after the end of a file fail the next one, whose
 * report shows where they come from; they end the process no sooner.
 */
class Uncaught {
  #exceptions: unknown[] = [];
  readonly #rejections = new Map<Promise<unknown>, unknown>();

  constructor() {
    process.on('uncaughtException', (error) => this.#exceptions.push(error));
    process.on('unhandledRejection', (error, promise) => this.#rejections.set(promise, error));
    // A test may begin to await a promise only after it was rejected.
    process.on('rejectionHandled', (promise) => this.#rejections.delete(promise));
  }

  /** Answers what was not caught since the last call. */
  async take(): Promise<unknown[]> {
    await nextTurn();
    const taken = [...this.#exceptions, ...this.#rejections.values()];
    this.#exceptions = [];
    this.#rejections.clear();
    return taken;
  }
}

const uncaught = new Uncaught();

/** Loads a file, which declares its tests, and runs them. */
const runTests = async (path: string, url: string, settings: WorkerSettings): Promise<Circus.RunResult> => {
  configureGlobals(settings.project);
  resetState();
  const { testNamePattern, testTimeout } = settings;
  setState({
    ...getState(),
    testTimeout,
    testNamePattern: testNamePattern ? new RegExp(testNamePattern, 'i') : null,
  });
  jestExpect.setState({ testPath: path, expand: false });
  await import(url);
  return run();
};

/**
 * Runs one test file in this process, and says what came of it as jest's own runner does. Modules stay loaded for the
 * next file: that is what makes it quick. What a file fakes or sets is undone.
 */
export const runFile = async (path: string, url: string, settings: WorkerSettings): Promise<TestResult> => {
  const printed: Printed = [];
  const errors: unknown[] = [];
  const environment = { ...process.env };
  const restoreConsole = keepConsole(printed);
  const start = Date.now();
  let results: Circus.TestResult[] = [];
  try {
    const ran = await runTests(path, url, settings);
    results = ran.testResults;
    errors.push(...ran.unhandledErrors);
  } catch (error) {
    errors.push(error);
  } finally {
    restoreGlobals();
    errors.push(...(await uncaught.take()));
    restoreEnvironment(environment);
    restoreConsole();
  }
  return describe(path, { results, errors, printed, start, end: Date.now() }, settings);
};

interface Ran {
  results: readonly Circus.TestResult[];
  errors: readonly unknown[];
  printed: Printed;
  start: number;
  end: number;
}

const describe = (
  path: string,
  { results, errors, printed, start, end }: Ran,
  settings: WorkerSettings,
): TestResult => {
  const config = settings.project;
  const options = { noStackTrace: false };
  const assertions = results.map(asAssertion);
  const count = (...statuses: Assertion['status'][]): number =>
    assertions.filter((it) => statuses.includes(it.status)).length;
  const texts = errors.map((error) =>
    formatExecError(error instanceof Error ? error : String(error), config, options, path),
  );
  const failureMessage = [formatResultsErrors(assertions, config, options, path) ?? '', ...texts]
    .join('\n')
    .trim();
  return {
    ...createEmptyTestResult(),
    console: printed,
    failureMessage: failureMessage === '' ? null : failureMessage,
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending', 'skipped', 'disabled'),
    numTodoTests: count('todo'),
    perfStats: {
      start,
      end,
      runtime: end - start,
      slow: false,
      loadTestEnvironmentStart: 0,
      loadTestEnvironmentEnd: 0,
      setupAfterEnvStart: 0,
      setupAfterEnvEnd: 0,
      setupFilesStart: 0,
      setupFilesEnd: 0,
    },
    ...(texts.length > 0 ? { testExecError: { message: '', stack: texts.join('\n') } } : {}),
    testFilePath: path,
    testResults: assertions,
  };
};
