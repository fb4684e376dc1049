import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { shortPath } from '@stanza/local/commands/home';
import { StackFailure } from '@stanza/local/failure';
import { colours, terminalProgress } from '@stanza/local/progress';
import { baseCommit, hasCommit } from '../../gallery/previous-engine.ts';
import { wantsAll } from '../../kit/cases.ts';
import { findChromium } from '../chromium.ts';
import { hasContainerEngine } from '../container-engine.ts';
import { addCounts, type Counts, lastLine, noCounts } from '../counts.ts';
import { installBeside, isInstalledBeside } from '../install-beside.ts';
import { allChecks, type Check, type JestLevel, jestLevels, longLevels, readSelection } from '../levels.ts';
import { unmatchedPaths } from '../plan.ts';
import { runJest } from '../run-jest.ts';
import { runProgram } from '../run-program.ts';

/** What a run found: counts by check, and what was not run, with the reason. */
interface Outcome {
  counts: Map<Check, Counts>;
  failed: string[];
  notRun: string[];
}

/** The stacks of tests bring their own database and broker, whatever a developer has set for `npm start`. */
const testEnvironment = (): void => {
  for (const name of ['DATABASE_URL', 'NATS_URL', 'STANZA_DIRECTORY']) delete process.env[name];
};

/** `npm test`: everything, what the words name, or the short stories; closes with counts and fails when anything failed. */
export const runTests = async (words: string[], isShort = false): Promise<void> => {
  testEnvironment();
  const { checks, paths } = readSelection(words, isShort);
  const unmatched = unmatchedPaths(
    jestLevels.filter((it) => checks.includes(it)),
    paths,
  );
  if (unmatched.length > 0) {
    const what = `No test file of ${checks.join(', ')} has ${unmatched.join(' or ')} in its path.`;
    throw new StackFailure(
      what,
      '"npm test -- --help" lists the levels; the words besides are parts of paths.',
    );
  }
  const outcome: Outcome = { counts: new Map(), failed: [], notRun: [] };
  const types = checks.includes('types') ? await typeChecks(outcome) : [];
  await Promise.all([
    runCheck('types', types, outcome),
    runCheck('lint', checks.includes('lint') ? [biomeCheck] : [], outcome),
  ]);
  await runLevels(await runnableLevels(checks, outcome), paths, outcome);
  if (words.length === 0 && !isShort)
    outcome.notRun.push(...longLevels.map((it) => `${it}: takes minutes; "npm test -- ${it}" runs it`));
  report(outcome);
};

/** The projects that hold tests; the console's run in a browser and are typed for it. */
const typedProjects = ['tests/tsconfig.json', 'services/console/tsconfig.test.json'];

/** Those with packages of their own: a run with all cases installs them, else what uses them does. */
const foldersBeside = ['tests/bench', 'tests/conformance', 'docs/site'] as const;

const typeChecks = async ({ notRun }: Outcome): Promise<string[][]> => {
  const projects = [...typedProjects];
  for (const folder of foldersBeside) {
    const isThere = wantsAll ? await installBeside(folder) : isInstalledBeside(folder);
    if (isThere || wantsAll) projects.push(`${folder}/tsconfig.json`);
    else notRun.push(`the types of ${folder}: its packages are not installed; "npm ci" in it installs them`);
  }
  return projects.map((project) => [
    'tsc',
    ...['-p', project],
    // What has not changed since the last run is not checked again.
    ...['--incremental', '--tsBuildInfoFile', join('.stanza/types', `${project}.tsbuildinfo`)],
  ]);
};

const biomeCheck = ['biome', 'check', '--error-on-warnings', '.'];

/**
 * Runs the commands of a check side by side, as each mostly keeps one core busy, and says what each of them finds. A
 * check without commands is none.
 */
const runCheck = async (check: Check, commands: string[][], { counts }: Outcome): Promise<void> => {
  if (commands.length === 0) return;
  const codes = await Promise.all(commands.map(([program = '', ...args]) => runProgram(program, args)));
  const passed = codes.every((code) => code === 0);
  console.log(passed ? `  ✓ ${check}` : `  ✗ ${check}`);
  counts.set(check, { ...noCounts(), ...(passed ? { passed: 1 } : { failed: 1 }) });
};

/** Finds a browser and names it to the tests; without one it answers the reason. */
const prepareBrowser = async (): Promise<string | undefined> => {
  const found = await terminalProgress().step('Chromium', findChromium(), (it) =>
    'lack' in it ? 'none' : it.origin,
  );
  if ('lack' in found) return found.lack;
  process.env.STANZA_CHROMIUM = found.path;
  return undefined;
};

/** What a level cannot do without, where that is missing. */
const lackOf = async (level: JestLevel): Promise<string | undefined> => {
  if (level === 'browser') return prepareBrowser();
  if (level === 'conformance') {
    for (const folder of ['tests/conformance', 'docs/site'] as const)
      if (!(await installBeside(folder))) return `the packages of ${folder} cannot be installed`;
    return prepareBrowser();
  }
  // One file of each of these levels has a browser; the others go on without.
  if (level === 'faults' || level === 'rollout') await prepareBrowser();
  if (level === 'images' && !hasContainerEngine()) {
    return 'no container engine answers; "docker info" says why';
  }
  if (level === 'cluster' || level === 'alerts') return missingOf(level);
  return undefined;
};

/** The programs of Debian that these levels are made of. */
const programs = { cluster: ['haproxy', 'pgbouncer'], alerts: ['haproxy', 'pgbouncer', 'prometheus'] };

const missingOf = (level: keyof typeof programs): string | undefined => {
  const found = process.env.PATH?.split(':') ?? [];
  const missing = programs[level].filter(
    (program) => ![...found, '/usr/sbin'].some((folder) => existsSync(join(folder, program))),
  );
  return missing.length === 0 ? undefined : `there is no ${missing.join(' and no ')}`;
};

/** The levels that can run here. In CI a level that cannot is a failure: nothing is left out there unseen. */
const runnableLevels = async (
  checks: readonly Check[],
  { counts, notRun }: Outcome,
): Promise<JestLevel[]> => {
  const runnable: JestLevel[] = [];
  for (const level of jestLevels.filter((it) => checks.includes(it))) {
    if (level === 'unit' && spawnSync('kubectl', ['version', '--client']).status !== 0) {
      notRun.push('the comparison of rendered manifests with those of kubectl: there is no kubectl');
    }
    if (level === 'unit' && spawnSync('promtool', ['--version']).status !== 0) {
      notRun.push('the tests of alerts: there is no promtool; install Prometheus');
    }
    if (level === 'unit' && spawnSync('helm', ['version']).status !== 0) {
      notRun.push('the tests that render the chart: there is no helm');
    }
    if (level === 'unit' && !hasCommit(baseCommit)) {
      const short = baseCommit.slice(0, 8);
      notRun.push(`the comparison with the engine before: the history has no ${short}; fetch all of it`);
    }
    const lack = await lackOf(level);
    if (lack === undefined) runnable.push(level);
    else notRun.push(`${level}: ${lack}`);
    if (lack !== undefined && process.env.CI === 'true') counts.set(level, { ...noCounts(), failed: 1 });
  }
  return runnable;
};

const runLevels = async (
  levels: readonly JestLevel[],
  paths: readonly string[],
  outcome: Outcome,
): Promise<void> => {
  if (levels.length === 0) return;
  const { counts, failed, code, logs } = await runJest(levels, paths);
  outcome.failed.push(...failed);
  for (const [level, found] of counts) outcome.counts.set(level, found);
  const empty = levels.filter((level) => paths.length === 0 && !counts.has(level));
  outcome.notRun.push(...empty.map((level) => `${level}: there is no test of this level`));
  if (code !== 0 && addCounts([...counts.values()]).failed === 0) {
    outcome.notRun.push(`jest ended with code ${code}, its report has no failure: see its output`);
    process.exitCode = 1;
  }
  if (logs !== undefined) console.log(`  The logs of the stack are kept in ${shortPath(logs)}.`);
};

const report = ({ counts, failed, notRun }: Outcome): void => {
  const paint = colours();
  const total = addCounts([...counts.values()]);
  console.log('');
  for (const check of allChecks) {
    const found = counts.get(check);
    if (found === undefined) continue;
    const mark = found.failed > 0 ? paint.red('✗') : paint.green('✓');
    console.log(`  ${mark} ${check.padEnd(10)} ${lastLine(found)}`);
  }
  for (const line of failed) console.log(`  ${paint.red('✗')} failed: ${line}`);
  for (const line of notRun) console.log(`  ${paint.yellow('–')} not run: ${line}`);
  console.log(`\n${lastLine(total)}`);
  if (total.failed > 0) process.exitCode = 1;
};
