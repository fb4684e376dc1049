import { globSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { pageText, root } from './markdown.ts';

const section = pageText('docs/architecture.md').split('## Where is …?\n')[1]?.split(/^## /m)[0] ?? '';

const quoted = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);

/** The rows of the table: a question, the words to search for, the files that hold the answer. */
const rows = section
  .split('\n')
  .filter((line) => /^\| [A-Z]/.test(line))
  .map((line) => {
    const [, question = '', words = '', files = ''] = line.split('|');
    return { question: question.trim(), words: quoted(words)[0] ?? '', files: quoted(files) };
  });

const sources = globSync(['services/*/src/**/*.{ts,tsx}', 'shared/runtime/src/**/*.ts'], { cwd: root })
  .filter((file) => !/\.test\.tsx?$|\/(?:testing|migrations|node_modules)\//.test(file))
  .map((file) => ({ file, lines: pageText(file).toLowerCase().split('\n') }));

describe('the table of where a rule is decided', () => {
  it('answers ten questions', () => {
    expect(rows).toHaveLength(10);
  });

  it.each(rows)('is found by one search, in two files at most: $question', ({ words, files }) => {
    const found = sources.filter(({ lines }) => lines.some((line) => line.includes(words.toLowerCase())));
    expect(found.map(({ file }) => file).sort()).toEqual(files.toSorted());
    expect(files.length).toBeGreaterThan(0);
    expect(files.length).toBeLessThanOrEqual(2);
  });
});
