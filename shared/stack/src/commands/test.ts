import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { colours, terminalProgress } from '../progress.ts';
import { findChromium } from '../test-runner/chromium.ts';
import { hasContainerEngine } from '../test-runner/container-engine.ts';
import {
  addCounts,
  type Counts,
  countByLevel,
  jestReportSchema,
  lastLine,
  noCounts,
} from '../test-runner/counts.ts';
import {
  allChecks,
  type Check,
  databaseLevels,
  type JestLevel,
  jestLevels,
  longLevels,
  readSelection,
  serviceLevels,
} from '../test-runner/levels.ts';
import { runProgram } from '../test-runner/run-program.ts';
import { type SharedStack, startSharedStack } from '../test-runner/test-stack.ts';
import { shortPath } from './home.ts';
import { endRequests } from './signals.ts';

/** What a run found: counts by check, and what was not run, with the reason. */
interface Outcome {
  counts: Map<Check, Counts>;
  notRun: string[];
}

/** The stacks of tests bring their own database and broker, whatever a developer has set for `npm start`. */
const testEnvironment = (): void => {
  for (const name of ['DATABASE_URL', 'NATS_URL', 'STANZA_DIRECTORY']) delete process.env[name];
};

/** `npm test`: everything, or what the words name; closes with counts and fails when anything failed. */
export const runTests = async (words: string[]): Promise<void> => {
  testEnvironment();
  const { checks, paths } = readSelection(words);
  const outcome: Outcome = { counts: new Map(), notRun: [] };
  if (checks.includes('types')) await runCheck('types', ['tsc', '-p', 'tests/tsconfig.json'], outcome);
  if (checks.includes('lint'))
    await runCheck('lint', ['biome', 'check', '--error-on-warnings', '.'], outcome);
  const levels = runnableLevels(checks, outcome);
  const isTimed = (level: JestLevel): boolean => level === 'timed';
  await runJest(
    levels.filter((level) => !isTimed(level)),
    paths,
    outcome,
  );
  // What measures time has the machine to itself.
  await runJest(levels.filter(isTimed), paths, outcome);
  if (words.length === 0)
    outcome.notRun.push(...longLevels.map((it) => `${it}: takes minutes; "npm test -- ${it}" runs it`));
  report(outcome);
};

const runCheck = async (
  check: Check,
  [program = '', ...args]: string[],
  { counts }: Outcome,
): Promise<void> => {
  const code = await runProgram(program, args);
  console.log(code === 0 ? `  ✓ ${check}` : `  ✗ ${check}`);
  counts.set(check, { ...noCounts(), ...(code === 0 ? { passed: 1 } : { failed: 1 }) });
};

/** What a level cannot do without, where that is missing. */
const lackOf = (level: JestLevel): string | undefined => {
  if (level === 'browser' && findChromium() === undefined) {
    return 'there is no Chromium; install the package "chromium" or set STANZA_CHROMIUM';
  }
  if (level === 'images' && !hasContainerEngine()) {
    return 'no container engine answers; "docker info" says why';
  }
  return undefined;
};

const runnableLevels = (checks: readonly Check[], { notRun }: Outcome): JestLevel[] =>
  jestLevels.filter((level) => {
    if (!checks.includes(level)) return false;
    if (level === 'unit' && spawnSync('kubectl', ['version', '--client']).status !== 0) {
      notRun.push('the comparison of rendered manifests with those of kubectl: there is no kubectl');
    }
    if (level === 'unit' && spawnSync('promtool', ['--version']).status !== 0) {
      notRun.push('the tests of alerts: there is no promtool; install Prometheus');
    }
    const lack = lackOf(level);
    if (lack !== undefined) notRun.push(`${level}: ${lack}`);
    return lack === undefined;
  });

const runJest = async (
  levels: readonly JestLevel[],
  paths: readonly string[],
  outcome: Outcome,
): Promise<void> => {
  if (levels.length === 0) return;
  const requests = endRequests();
  const folder = await mkdtemp(join(tmpdir(), 'stanza-report-'));
  const shared = await sharedStackFor(levels, requests.first);
  let failed = true;
  try {
    const reportFile = join(folder, 'report.json');
    const env = { ...process.env, STANZA_TEST_STACK: shared?.infoFile, STANZA_CHROMIUM: findChromium() };
    const args = jestArguments(levels, paths, reportFile);
    const code = await runProgram(process.execPath, args, { env, signal: requests.first });
    failed = code !== 0;
    for (const [level, counts] of await readCounts(reportFile)) outcome.counts.set(level, counts);
    const empty = levels.filter((level) => paths.length === 0 && !outcome.counts.has(level));
    outcome.notRun.push(...empty.map((level) => `${level}: there is no test of this level`));
    if (failed && addCounts([...outcome.counts.values()]).failed === 0) {
      outcome.notRun.push(`jest ended with code ${code}, its report has no failure: see its output`);
      process.exitCode = 1;
    }
  } finally {
    await rm(folder, { recursive: true });
    const logs = await shared?.end(failed);
    if (logs !== undefined) console.log(`  The logs of the stack are kept in ${shortPath(logs)}.`);
    requests.done();
  }
};

const sharedStackFor = async (
  levels: readonly JestLevel[],
  signal: AbortSignal,
): Promise<SharedStack | undefined> => {
  if (!levels.some((level) => databaseLevels.includes(level))) return undefined;
  const withServices = levels.some((level) => serviceLevels.includes(level));
  return startSharedStack(withServices, terminalProgress(), signal);
};

const jestArguments = (
  levels: readonly JestLevel[],
  paths: readonly string[],
  reportFile: string,
): string[] => [
  '--experimental-vm-modules',
  '--no-warnings',
  'node_modules/jest/bin/jest.js',
  // Tests that wait for clocks and processes leave two cores idle otherwise; what measures time runs file after file.
  `--maxWorkers=${levels.includes('timed') ? 1 : 3}`,
  '--passWithNoTests',
  '--json',
  `--outputFile=${reportFile}`,
  '--selectProjects',
  ...levels,
  ...(paths.length > 0 ? ['--testPathPatterns', ...paths] : []),
];

const readCounts = async (file: string): Promise<Map<JestLevel, Counts>> => {
  const text = await readFile(file, 'utf8').catch(() => '{"testResults":[]}');
  return countByLevel(jestReportSchema.parse(JSON.parse(text)));
};

const report = ({ counts, notRun }: Outcome): void => {
  const paint = colours();
  const total = addCounts([...counts.values()]);
  console.log('');
  for (const check of allChecks) {
    const found = counts.get(check);
    if (found === undefined) continue;
    const mark = found.failed > 0 ? paint.red('✗') : paint.green('✓');
    console.log(`  ${mark} ${check.padEnd(10)} ${lastLine(found)}`);
  }
  for (const line of notRun) console.log(`  ${paint.yellow('–')} not run: ${line}`);
  console.log(`\n${lastLine(total)}`);
  if (total.failed > 0) process.exitCode = 1;
};
