import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { pageText, root } from './markdown.ts';

/** The lists of the page, by their heading, and how long each may be. */
const longest = {
  'A send, from its handler to the platform': 15,
  'A push of events': 7,
  'A compile': 10,
};

const sectionOf = (heading: string): string =>
  pageText('docs/architecture.md').split(`### ${heading}\n`)[1]?.split(/^#/m)[0] ?? '';

const filesOf = (heading: string): string[] =>
  [...sectionOf(heading).matchAll(/^\d+\. `(?<file>[^`]+)`/gm)].map(({ groups = {} }) => groups.file ?? '');

/** The source files that a file imports. The engine is entered by its index alone. */
const importsOf = (file: string): string[] => {
  const source = readFileSync(join(root, file), 'utf8');
  return [...source.matchAll(/ from '(?<target>[^']+)'/g)].flatMap(({ groups = {} }) => {
    const { target = '' } = groups;
    if (target === '@stanza/engine') return ['shared/engine/src/index.ts'];
    return target.startsWith('.') ? [normalize(join(dirname(file), target))] : [];
  });
};

/** Files through which one file of a list reaches another without being read: what a service consists of, and indexes. */
const isPassage = (file: string): boolean =>
  /^services\/[a-z-]+\/src\/dependencies\.ts$|\/index\.ts$/.test(file);

const reachedFrom = (file: string): string[] =>
  importsOf(file).flatMap((it) => (isPassage(it) ? importsOf(it) : [it]));

describe('the lists of files to follow a request by', () => {
  it.each(Object.entries(longest))('are no longer than they say: %s', (heading, most) => {
    const files = filesOf(heading);
    expect(files.length).toBeGreaterThan(1);
    expect(files.length).toBeLessThanOrEqual(most);
    expect(new Set(files).size).toBe(files.length);
  });

  const files = Object.keys(longest).flatMap((heading) =>
    filesOf(heading).map((file, place, list) => ({ file, earlier: list.slice(0, place) })),
  );

  it.each(files)('name a file that an earlier one of the list uses: $file', ({ file, earlier }) => {
    expect(existsSync(join(root, file))).toBe(true);
    if (earlier.length > 0) expect(earlier.flatMap(reachedFrom)).toContain(file);
  });
});
