import { describe, expect, it } from '@jest/globals';
import { apiPages } from '../../docs/site/build/api-reference.ts';

/** Cells of a row; a sign that divides cells may stand in a cell behind a backslash. */
const cellsOf = (row: string): number => row.split(/(?<!\\)\|/).length;

/** Blocks of lines that begin as a table does. */
const tablesOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n\n')
    .filter((block) => block.startsWith('|'))
    .map((block) => block.split('\n'));

describe('the pages of the API', () => {
  it.each(apiPages().map((page) => [page.name, page] as const))('of %s have whole tables', (_, { text }) => {
    for (const [head = '', ...rows] of tablesOf(text))
      for (const row of rows) expect([row, cellsOf(row)]).toEqual([row, cellsOf(head)]);
  });

  it('say at a field what its named schema says', () => {
    const queues = apiPages().find(({ name }) => name === 'queues')?.text;
    expect(queues).toMatch(/^\| `on_unknown` \| \[OnUnknown\]\(.*\) \| what is done with a message/m);
  });
});
