import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..');

/** One import: who imports, and what; a path of the repository where it is relative. */
interface Arrow {
  file: string;
  from: string;
}

const importing = /(?:\bfrom|\bimport\()\s*'([^']+)'/g;

const arrowsOf = (file: string): Arrow[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(importing)].map(([, from = '']) => ({
    file,
    from: from.startsWith('.') ? normalize(join(dirname(file), from)) : from,
  }));

const arrows = globSync('{services,shared,deploy,tests}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|dist)$/.test(name),
}).flatMap(arrowsOf);

/** The package that a path belongs to; all of tests counts as one. */
const packageOf = (path: string): string => {
  const [group = '', name = ''] = path.split('/');
  return group === 'tests' ? group : `${group}/${name}`;
};

const isPath = (from: string): boolean => /^(services|shared|deploy|tests)\//.test(from);

const isOfTests = (file: string): boolean => /\.test\.ts$|\/testing\//.test(file);

const shown = ({ file, from }: Arrow): string => `${file} → ${from}`;

describe('the arrows between packages', () => {
  it('are found in every file', () => {
    expect(arrows.length).toBeGreaterThan(3_000);
    expect(arrows.filter(({ from }) => isPath(from)).length).toBeGreaterThan(1_000);
  });

  it('go through what a package exports, never to a path inside another one', () => {
    const crossing = arrows.filter(({ file, from }) => isPath(from) && packageOf(file) !== packageOf(from));
    expect(crossing.map(shown)).toEqual([]);
  });

  it('lead from services and shared to nothing of deploy and tests, but for their own tests', () => {
    const outward = /^@stanza\/(local|image|sandbox|release|bench|test-kit)(\/|$)/;
    const wrong = arrows.filter(
      ({ file, from }) => /^(services|shared)\//.test(file) && !isOfTests(file) && outward.test(from),
    );
    expect(wrong.map(shown)).toEqual([]);
  });

  it('lead from deploy to nothing of tests, but for its own tests', () => {
    const wrong = arrows.filter(
      ({ file, from }) =>
        file.startsWith('deploy/') && !isOfTests(file) && from.startsWith('@stanza/test-kit'),
    );
    expect(wrong.map(shown)).toEqual([]);
  });
});
