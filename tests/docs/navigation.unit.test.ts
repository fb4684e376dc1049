import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { builtFiles } from '@stanza/sdk-emitter/built-files';
import { entries } from '../../docs/site/navigation.ts';
import { pages } from './markdown.ts';

const built: readonly string[] = builtFiles;

describe('the navigation', () => {
  const isBelow = (page: string): boolean =>
    entries.some(
      ({ file, folder }) => folder && file !== page && posix.dirname(file) === posix.dirname(page),
    );

  it('has every page exactly once: of its own, or below the page of its folder', () => {
    const named = entries.filter(({ built }) => !built).map(({ file }) => file);
    const wanted = pages().filter(
      (page) => page !== 'docs/README.md' && !built.includes(page) && !isBelow(page),
    );
    expect(named.toSorted()).toEqual(wanted);
  });

  it('gives each page a title of its own', () => {
    const titles = entries.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });
});
