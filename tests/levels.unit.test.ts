import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..');

/** The test files of the levels that `npm test` runs. */
const files = globSync(
  ['unit', 'int', 'contract', 'tenancy', 'e2e', 'browser'].map(
    (level) => `{tests,shared,services}/**/*.${level}.test.ts`,
  ),
  { cwd: root, exclude: (file) => /(^|\/)(node_modules|dist)(\/|$)/.test(file) },
).filter((file) => file !== 'tests/levels.unit.test.ts');

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
    allowed: {},
  },
  'set no time limit of their own: tests/kit/limits.ts has them': {
    pattern: /^\s*\}, (?:[\d_]+|\w+Ms|patience)\);$|jest\.setTimeout|waitFor\([^\n]*, [\d_]+\)/m,
    example: '  }, 60_000);',
    allowed: {},
  },
  'do not sleep': {
    pattern: /\b(?:pause|delay|sleep)\(|new Promise\(\(\w+\) => setTimeout/,
    example: 'await pause(100);',
    allowed: {},
  },
  'share the stack of the run': {
    pattern: /\bstartOwnStack\(|\bstartStack\(/,
    example: "await startOwnStack('mine')",
    allowed: {},
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
