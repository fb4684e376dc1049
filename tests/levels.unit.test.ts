import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..');

const filesOf = (...levels: string[]): string[] =>
  globSync(
    levels.map((level) => `{deploy,services,shared,tests}/**/*.${level}.test.ts`),
    { cwd: root, exclude: (file) => /(^|\/)(node_modules|dist)(\/|$)/.test(file) },
  ).filter((file) => file !== 'tests/levels.unit.test.ts');

/** The test files of the levels on the shared stack, and those on stacks or packages of their own. */
const files = filesOf('unit', 'int', 'contract', 'tenancy', 'e2e', 'browser');
const longFiles = filesOf('conformance', 'faults', 'rollout', 'images', 'cluster', 'alerts');

const timeLimit =
  /^\s*\}, (?:[\d_]+|\w+Ms)\);$|jest\.setTimeout|waitFor\([^\n]*, [\d_]+\)|\},\n\s+[^\n]*(?:_000|(?<!limits\.\w+)Ms),\n\s*\)/m;

/** What must not stand in them, and the files in which it may, each with the reason. */
interface Rule {
  pattern: RegExp;
  /** What the pattern finds, to see that it does. */
  example: string;
  allowed: Record<string, string>;
}

const rules: Record<string, Rule> = {
  'read no clock': {
    pattern: /performance\.now\(|Date\.now\(|hrtime|[cC]puUsage\(/,
    example: 'expect(performance.now() - began).toBeLessThan(100)',
    allowed: {
      'shared/runtime/src/breaker.unit.test.ts':
        'A breaker takes its clock as a parameter, here the real one.',
      'shared/runtime/src/rpc/deadlines.unit.test.ts':
        'Deadlines take their clock as a parameter, here the real one.',
      'shared/runtime/src/rpc/rpc.int.test.ts':
        'A server takes its clock as a parameter, which the test moves ahead.',
      'services/delivery/src/operations/list-unlogged-posts.int.test.ts':
        'The moment of a failover is one of the real platform history.',
      'services/organization/src/operations/audit-log.int.test.ts':
        'A line is aged by the days that retention keeps.',
      'deploy/image/src/front/front.unit.test.ts': 'The list of gateways takes its clock as a parameter.',
      'tests/contract/credentials.contract.test.ts': 'A key that ended a second ago is made for the test.',
      'tests/e2e/access.e2e.test.ts': 'A key that ended a second ago is made for the test.',
      'tests/e2e/interactions.e2e.test.ts':
        'A signature of the platform covers the time at which it was made.',
      'tests/e2e/schedules.e2e.test.ts': 'A schedule is due at a time from now on.',
    },
  },
  'set no time limit of their own: tests/kit/limits.ts has them': {
    pattern: timeLimit,
    example: '  }, 60_000);',
    allowed: {},
  },
  'do not sleep': {
    pattern: /(?<!\.)\b(?:pause|delay|sleep)\(|new Promise\(\(\w+\) => setTimeout/,
    example: 'await pause(100);',
    allowed: {
      'services/delivery/src/chat/breaker.int.test.ts':
        'The pause is the one between two looks at a condition.',
      'services/delivery/src/messages/fairness.int.test.ts':
        'The pause is the one between two looks at a condition.',
      'tests/runner/bare/worker.unit.test.ts': 'The files that the tests write wait for a turn of the loop.',
      'tests/e2e/edge.e2e.test.ts':
        'A client that is slower than the deadline of an operation is what the test is about.',
    },
  },
  'share the stack of the run': {
    pattern: /\bstartOwnStack(?:With)?\(|\bstartStack\(/,
    example: "await startOwnStack('mine')",
    allowed: {
      'tests/e2e/tracing.e2e.test.ts':
        'Traces are kept of every request, which would slow all tests of a shared stack.',
    },
  },
};

describe('the tests that npm test runs', () => {
  it('are looked at', () => {
    expect(files.length).toBeGreaterThan(300);
  });

  it.each(Object.entries(rules))('%s, but for a few with a reason', (_, { pattern, example, allowed }) => {
    expect(example).toMatch(pattern);
    const found = files.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
    expect(found.toSorted()).toEqual(Object.keys(allowed).toSorted());
    for (const reason of Object.values(allowed)) expect(reason).toMatch(/^\S+ .{15,}\.$/);
  });
});

describe('the tests with a command of their own', () => {
  it('are looked at', () => {
    expect(longFiles.length).toBeGreaterThan(30);
  });

  it('set no time limit of their own either', () => {
    expect(longFiles.filter((file) => timeLimit.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });
});
