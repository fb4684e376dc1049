import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { linksOf } from '../docs/markdown.ts';
import { read, root } from './files.ts';

const folder = 'docs/decisions';
const names = globSync('[0-9]*.md', { cwd: join(root, folder) }).sort();

/** Files and folders that a text names in code marks. */
const placesIn = (text: string): string[] =>
  [...text.matchAll(/`((?:services|shared|tests|deploy)\/[\w./-]+)`/g)].map(([, place = '']) => place);

describe('the decisions', () => {
  it('are numbered without a gap, and all stand in the index in their order', () => {
    expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, at) => at + 1));
    expect(names.length).toBeGreaterThan(5);
    expect(linksOf(read(`${folder}/README.md`))).toEqual(names);
  });

  it.each(names)('%s says context, decision and consequences, and names places in the code', (name) => {
    const text = read(`${folder}/${name}`);
    expect(text).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`));
    expect(text).toMatch(/^Status: (?:accepted|replaced by \[.+\]\(.+\))$/m);
    expect(text.match(/^## .*$/gm)).toEqual(['## Context', '## Decision', '## Consequences']);
    const places = placesIn(text);
    expect(places).not.toEqual([]);
    expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([]);
  });
});
