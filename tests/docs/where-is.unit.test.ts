import { describe, expect, it } from '@jest/globals';
import { pageText } from './markdown.ts';

const section =
  pageText('docs/architecture.md').split('### Where rules are decided\n')[1]?.split(/^## /m)[0] ?? '';

/** The rows of the table: a question, the function that decides, and its file. */
const rows = [...section.matchAll(/^\| ([A-Z].*?) \| `(\w+)` \| `([^`]+)` \|$/gm)].map(
  ([, question = '', name = '', file = '']) => ({ question, name, file }),
);

describe('The table of where rules are decided', () => {
  it('has a row for each of fourteen rules', () => {
    expect(rows).toHaveLength(14);
  });

  it.each(rows)('names a function that its file exports: $question', ({ name, file }) => {
    expect(pageText(file)).toMatch(
      new RegExp(`^export (?:const|class|interface|abstract class) ${name}\\b`, 'm'),
    );
  });
});
