import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endRequests } from '@stanza/local/commands/signals';
import { terminalProgress } from '@stanza/local/progress';
import { projectRoot } from '@stanza/local/project';
import {
  type Counts,
  countByLevel,
  failedCases,
  type JestReport,
  jestReportSchema,
  secondsByFile,
} from './counts.ts';
import { databaseLevels, type JestLevel, longLevels, serviceLevels } from './levels.ts';
import { pathPatterns, planRun, recordSeconds, reportFileOf, writePlan } from './plan.ts';
import { runProgram } from './run-program.ts';
import { type SharedStack, startSharedStack } from './test-stack.ts';

/**
 * Files at one time: tests that wait for processes and for Postgres would leave two cores idle otherwise. A run took 7:50
 * with three and 6:45 with four on two cores, in turn; five were no faster.
 */
const workers = 4;
/**
 * Those of the long levels, which wait for restarts and for what has to time out. Each has a stack of its own, whose start
 * takes both cores: three at a time took as long as two on a slow machine, and longer for each request.
 */
const longWorkers = 2;

/** What jest found. */
export interface JestOutcome {
  counts: Map<JestLevel, Counts>;
  /** The cases that failed, see {@link failedCases}. */
  failed: string[];
  /** Its exit code. */
  code: number;
  /** Where the logs of the shared stack are kept, after a failure. */
  logs: string | undefined;
}

/** Runs the tests of some levels, those whose paths match where any are named, with the stack that they share. */
export const runJest = async (
  levels: readonly JestLevel[],
  paths: readonly string[],
): Promise<JestOutcome> => {
  const requests = endRequests();
  const folder = await mkdtemp(join(tmpdir(), 'stanza-report-'));
  let shared: SharedStack | undefined;
  let code = 1;
  let report: JestReport = { testResults: [] };
  let logs: string | undefined;
  try {
    const planned = await writePlan(join(folder, 'plan.json'), planRun(levels, paths));
    shared = await sharedStackFor(levels, requests.first);
    const env = { ...process.env, ...planned, ...shared?.env };
    const args = jestArguments(levels, paths);
    code = await runProgram(process.execPath, args, { env, signal: requests.first });
    report = await readReport(reportFileOf(planned));
    await recordSeconds(secondsByFile(report));
  } finally {
    await rm(folder, { recursive: true });
    logs = await shared?.end(code !== 0);
    requests.done();
  }
  return { counts: countByLevel(report), failed: failedCases(report, projectRoot), code, logs };
};

const sharedStackFor = async (
  levels: readonly JestLevel[],
  signal: AbortSignal,
): Promise<SharedStack | undefined> => {
  if (!levels.some((level) => databaseLevels.includes(level))) return undefined;
  const withServices = levels.some((level) => serviceLevels.includes(level));
  return startSharedStack(withServices, terminalProgress(), signal);
};

const jestArguments = (levels: readonly JestLevel[], paths: readonly string[]): string[] => [
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  `--maxWorkers=${levels.every((level) => longLevels.some((it) => it === level)) ? longWorkers : workers}`,
  `--reporters=${join(projectRoot, 'tests/runner/reporter.ts')}`,
  '--passWithNoTests',
  '--selectProjects',
  ...levels,
  ...(paths.length > 0 ? ['--testPathPatterns', ...pathPatterns(paths)] : []),
];

/** What the reporter wrote down; nothing where jest did not come so far. */
const readReport = async (file = ''): Promise<JestReport> => {
  const text = await readFile(file, 'utf8').catch(() => '{"testResults":[]}');
  return jestReportSchema.parse(JSON.parse(text));
};
