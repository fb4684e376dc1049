import { z } from 'zod';
import { type JestLevel, levelOf } from './levels.ts';

/** How many of a check's cases ended how. */
export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The part of jest's JSON report that is counted. */
export const jestReportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
      status: z.string(),
    }),
  ),
});

/** See {@link jestReportSchema}. */
export type JestReport = z.output<typeof jestReportSchema>;

/** Nothing counted yet. */
export const noCounts = (): Counts => ({ passed: 0, failed: 0, skipped: 0 });

/** Sums counts. */
export const addCounts = (all: readonly Counts[]): Counts =>
  all.reduce(
    (sum, it) => ({
      passed: sum.passed + it.passed,
      failed: sum.failed + it.failed,
      skipped: sum.skipped + it.skipped,
    }),
    noCounts(),
  );

const countFile = (result: JestReport['testResults'][number]): Counts => {
  const counts = noCounts();
  for (const { status } of result.assertionResults) {
    if (status === 'passed') counts.passed += 1;
    else if (status === 'failed') counts.failed += 1;
    else counts.skipped += 1;
  }
  // A file that could not even be run has no cases to count, and is a failure all the same.
  if (result.status === 'failed' && counts.failed === 0) counts.failed = 1;
  return counts;
};

/** Counts the cases of each level that occurs in a report. */
export const countByLevel = (report: JestReport): Map<JestLevel, Counts> => {
  const counted = new Map<JestLevel, Counts>();
  for (const result of report.testResults) {
    const level = levelOf(result.name);
    if (level !== undefined)
      counted.set(level, addCounts([counted.get(level) ?? noCounts(), countFile(result)]));
  }
  return counted;
};

/** The failed cases of a report, each as `file: name of the case`; a file that could not be run stands alone. */
export const failedCases = ({ testResults }: JestReport, root: string): string[] =>
  testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.replace(`${root}/`, '');
    const failed = assertionResults.filter((it) => it.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [file];
    return failed.map(({ fullName }) => `${file}: ${fullName}`);
  });

/** The last line of a run: `12 passed, 0 failed`, and `, 1 skipped` where any was. */
export const lastLine = ({ passed, failed, skipped }: Counts): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;

/** Seconds that each file of a report took. */
export const secondsByFile = ({ testResults }: JestReport): Map<string, number> =>
  new Map(testResults.map(({ name, startTime, endTime }) => [name, (endTime - startTime) / 1_000]));
