import { describe, expect, it } from '@jest/globals';
import { pageText } from './markdown.ts';

const section =
  pageText('docs/architecture.md').split('### Where rules are decided\n')[1]?.split(/^## /m)[0] ?? '';

/** The rows of the table: a question, the function that decides, and its file. */
const rows = [...section.matchAll(/^\| ([A-Z].*?) \| `(\w+)` \| `([^`]+)` \|$/gm)].map(
  ([, question = '', name = '', file = '']) => ({ question, name, file }),
);

describe('The table of where rules are decided', () => {
  it('names one function and one file in each of its rows', () => {
    const lines = section.split('\n').filter((line) => /^\| [A-Z]/.test(line));
    expect(lines.length).toBeGreaterThan(0);
    expect(rows).toHaveLength(lines.length);
  });

  it.each(rows)('names a function that its file exports: $question', ({ name, file }) => {
    expect(pageText(file)).toMatch(
      new RegExp(`^export (?:const|class|interface|abstract class) ${name}\\b`, 'm'),
    );
  });
});
