import { describe, expect, it } from '@jest/globals';
import { pages, pageText } from './markdown.ts';
import { generatedPages } from './pages.ts';
import { hardToRead } from './readable.ts';

/** Pages that are read in another way, each with the reason; those that are made from the code besides. */
const exceptions: Record<string, string> = {
  'CHANGELOG.md': 'A line names all that a change means for its readers.',
  'CODE_OF_CONDUCT.md': 'The text is that of the Contributor Covenant.',
  'docs/chaos.md': 'The cells of its table describe each fault whole.',
  'docs/threat-model.md':
    'Its rows are a register: each names a threat, a wall, its place and a test by its title.',
  'docs/sdk-reference.md': 'It is made from the descriptions of operations, each in one cell.',
  'tests/bench/results.md': 'Figures stand with the state and the conditions that they were measured under.',
};

const generated = generatedPages();

const read = pages().filter((page) => !(page in exceptions) && !(page in generated));

describe('a page', () => {
  it.each(read)('%s is understood at the first reading', (page) => {
    expect(hardToRead(pageText(page))).toEqual([]);
  });

  it('is hard to read by long sentences, long cells and words of habit', () => {
    const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ');
    expect(hardToRead(`${words(30)}. ${words(30)}.\n\n| ${words(20)} | \`code\` |`)).toEqual([]);
    expect(hardToRead(`${words(31)}.`)).toEqual([expect.stringContaining('a sentence of 31 words')]);
    expect(hardToRead(`| ${words(21)} |`)).toEqual([expect.stringContaining('a cell of 21 words')]);
    expect(hardToRead('It stands beside the table.')).toEqual([expect.stringContaining('"beside"')]);
    expect(hardToRead('```sh\nbeside\n```\nWrite `beside`.')).toEqual([]);
  });

  it('has no exception that is not needed', () => {
    expect(Object.keys(exceptions).filter((page) => hardToRead(pageText(page)).length === 0)).toEqual([]);
  });
});
