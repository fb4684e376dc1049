import { globSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectRoot } from '@stanza/local/project';
import { z } from 'zod';
import { type JestLevel, levelOf } from './levels.ts';

/** The test files of a run, each with the seconds that it is expected to take. */
export type Plan = ReadonlyMap<string, number>;

/** Seconds by file, as earlier runs in this checkout measured them. */
const recorded = z.record(z.string(), z.number());

const recordFile = join(projectRoot, '.stanza/test-times.json');

/** Seconds that a file takes before it was ever measured here: medians of two cores. */
const usualSeconds: Record<JestLevel, number> = {
  unit: 1,
  int: 4,
  contract: 30,
  tenancy: 15,
  e2e: 8,
  conformance: 8,
  browser: 8,
  faults: 40,
  rollout: 60,
  images: 200,
  cluster: 300,
  alerts: 600,
};

const readRecord = (file: string): Record<string, number> => {
  try {
    return recorded.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // The record only makes an estimate better: a missing or damaged one is made again by the next run.
    return {};
  }
};

/**
 * What jest selects the same files by. It looks at whole paths, so that a part which stands in the checkout's own path
 * would select every file.
 */
export const pathPatterns = (paths: readonly string[], root = projectRoot): string[] =>
  paths.map((path) => `^${root.replaceAll(/[^\w/]/g, '\\$&')}/.*(?:${path})`);

const isIgnored = (file: string): boolean => /(^|\/)(node_modules|dist|\.stanza)(\/|$)/.test(file);

/**
 * The test files of these levels whose paths in the checkout match one of the parts, as {@link pathPatterns} selects
 * them.
 */
export const planRun = (
  levels: readonly JestLevel[],
  paths: readonly string[],
  { root = projectRoot, record = recordFile }: { root?: string; record?: string } = {},
): Plan => {
  const wanted = paths.length > 0 ? new RegExp(paths.join('|'), 'i') : undefined;
  const known = readRecord(record);
  const files = globSync('{deploy,services,shared,tests}/**/*.test.ts', { cwd: root, exclude: isIgnored });
  const plan = new Map<string, number>();
  for (const file of files) {
    const level = levelOf(file);
    if (level === undefined || !levels.includes(level)) continue;
    if (wanted && !wanted.test(file)) continue;
    plan.set(join(root, file), known[file] ?? usualSeconds[level]);
  }
  return plan;
};

/** Those of the parts that no test file of these levels has in its path, so that nothing would run for them. */
export const unmatchedPaths = (
  levels: readonly JestLevel[],
  paths: readonly string[],
  place: { root?: string } = {},
): string[] => paths.filter((path) => planRun(levels, [path], place).size === 0);

/** Keeps what the files of a run took, by their paths in the checkout, for the estimates of later runs. */
export const recordSeconds = async (
  taken: ReadonlyMap<string, number>,
  { root = projectRoot, record = recordFile }: { root?: string; record?: string } = {},
): Promise<void> => {
  const known = readRecord(record);
  for (const [path, seconds] of taken) known[path.slice(root.length + 1)] = seconds;
  await mkdir(dirname(record), { recursive: true });
  await writeFile(record, JSON.stringify(known));
};

/** Where a run leaves its plan for the reporter, which jest starts in a process of its own. */
const planVariable = 'STANZA_TEST_PLAN';

/** Writes a plan to a file; answers the variables that {@link readPlan} finds it by. */
export const writePlan = async (file: string, plan: Plan): Promise<Record<string, string>> => {
  await writeFile(file, JSON.stringify(Object.fromEntries(plan)));
  return { [planVariable]: file };
};

/** Where the reporter of a run leaves its report: next to the plan; undefined where jest was started without one. */
export const reportFileOf = (env: Record<string, string | undefined>): string | undefined => {
  const plan = env[planVariable];
  return plan === undefined ? undefined : join(dirname(plan), 'report.json');
};

/** The plan of this run; empty where jest was started without one. */
export const readPlan = (env: Record<string, string | undefined>): Plan =>
  new Map(Object.entries(readRecord(env[planVariable] ?? '')));
