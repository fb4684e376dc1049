import { describe, expect, it } from '@jest/globals';
import { allChecks, usualChecks } from '../runner/levels.ts';
import { read } from './files.ts';
import { levelsOf, problemsOf, workflowFiles } from './workflows.ts';

const checks: readonly string[] = allChecks;
const pullRequest = '.github/workflows/pull-request.yml';

describe('the workflows', () => {
  it.each(workflowFiles())(
    '%s fits the schema of workflows and the rules of this repository',
    async (file) => {
      expect(await problemsOf(file, read(file))).toEqual([]);
    },
  );

  it.each(workflowFiles())('%s names levels that npm test has', (file) => {
    expect(levelsOf(read(file)).filter((level) => !checks.includes(level))).toEqual([]);
  });

  it('run every level, those that npm test runs for each pull request', () => {
    const all = new Set(workflowFiles().flatMap((file) => levelsOf(read(file))));
    expect(checks.filter((level) => !all.has(level))).toEqual([]);
    const early = levelsOf(read(pullRequest));
    expect(usualChecks.filter((level) => !early.includes(level))).toEqual([]);
  });

  it('are refused by the same checks when they are broken', async () => {
    const text = read(pullRequest);
    const broken = (from: string | RegExp, to: string): Promise<string[]> => {
      const changed = text.replace(from, to);
      expect(changed).not.toBe(text);
      return problemsOf(pullRequest, changed);
    };
    expect(await broken('runs-on:', 'runs_on:')).not.toEqual([]);
    expect(await broken('matrix.levels', 'matrx.levels')).not.toEqual([]);
    expect(await broken('permissions: {}', 'permissions: { contents: write }')).toEqual([
      'jobs have permissions by default',
    ]);
    expect(await broken(/ {4}permissions:\n.*\n/, '')).toEqual(['level says no permissions']);
    expect(await broken(/ {4}timeout-minutes: .*\n/, '')).toEqual(['level has no time limit']);
    expect(await broken('levels: lint, minutes: 10', 'levels: lint')).toEqual(['level has no time limit']);
    expect(await broken(/concurrency:\n(?: .*\n)+/, '')).toEqual(['there is no concurrency group']);
    expect(await broken(/@[0-9a-f]{40} # v/, '@v')).toEqual([
      expect.stringContaining('an action is not pinned'),
    ]);
    expect(await broken('run: npm ci', 'run: npm run nothing')).toContain(
      'level runs "npm run nothing", which package.json does not have',
    );
    expect(await broken('run: npm ci', 'run: node nothing.ts')).toContain(
      'level runs "node nothing.ts", which does not exist',
    );
    expect(await broken('run: npm ci', `run: echo \${{ github.head_ref }}`)).toContain(
      'level writes an expression of others into a shell',
    );
  });

  it('have their levels found in commands and matrices', () => {
    expect(levelsOf(read(pullRequest))).toEqual(expect.arrayContaining(['contract', 'tenancy']));
    expect(levelsOf('jobs: { a: { steps: [{ run: npm test -- unit nowhere }] } }')).toEqual([
      'unit',
      'nowhere',
    ]);
  });
});
