import { describe, expect, it } from '@jest/globals';
import { addCounts, countByLevel, failedCases, lastLine, secondsByFile } from './counts.ts';

const file = (name: string, ...statuses: string[]) => ({
  name,
  startTime: 1_000,
  endTime: 3_500,
  status: statuses.includes('failed') ? 'failed' : 'passed',
  assertionResults: statuses.map((status, at) => ({ status, fullName: `case ${at}` })),
});

describe('the counts of a run', () => {
  it('are those of each level', () => {
    const report = {
      testResults: [
        file('/a.unit.test.ts', 'passed', 'passed'),
        file('/b.unit.test.ts', 'failed', 'passed'),
        file('/c.e2e.test.ts', 'passed', 'pending'),
      ],
    };
    expect(countByLevel(report)).toEqual(
      new Map([
        ['unit', { passed: 3, failed: 1, skipped: 0 }],
        ['e2e', { passed: 1, failed: 0, skipped: 1 }],
      ]),
    );
  });

  it('take a file that could not be run for a failure', () => {
    const broken = { ...file('/a.int.test.ts'), status: 'failed' };
    expect(countByLevel({ testResults: [broken] }).get('int')).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('end in one plain line', () => {
    const some = { passed: 2, failed: 1, skipped: 0 };
    expect(lastLine(addCounts([some, some]))).toBe('4 passed, 2 failed');
    expect(lastLine({ ...some, skipped: 3 })).toBe('2 passed, 1 failed, 3 skipped');
  });

  it('name what failed, and a file that could not be run', () => {
    const testResults = [
      file('/root/a.unit.test.ts', 'passed', 'failed'),
      { ...file('/root/b.int.test.ts'), status: 'failed' },
      file('/root/c.int.test.ts', 'passed'),
    ];
    expect(failedCases({ testResults }, '/root')).toEqual(['a.unit.test.ts: case 1', 'b.int.test.ts']);
  });

  it('say how long each file took', () => {
    expect(secondsByFile({ testResults: [file('/a.unit.test.ts')] })).toEqual(
      new Map([['/a.unit.test.ts', 2.5]]),
    );
  });
});
