import { blocksOf } from './markdown.ts';

/** Words of a sentence at most; what is longer has to be read twice. */
export const sentenceWords = 30;

/** Words of a table's cell at most; more belongs below the table. */
export const cellWords = 20;

/** Words that are read twice, each with the field's word for it. */
const habits: Readonly<Record<string, string>> = {
  anew: 'again',
  beside: 'next to, with, besides',
  'hand(?:s|ed)? on': 'pass on, forward',
  'hears?': 'receive',
  meanwhile: 'in that time',
  nobody: 'no one, or name the role',
  'so many': 'a number',
  somebody: 'someone, or name the role',
  'tells?': 'say, report, show',
  'the version before': 'the previous version',
  'under way': 'in progress, in flight',
  whoever: 'name the role',
};

const habit = new RegExp(`\\b(?:${Object.keys(habits).join('|')})\\b`, 'gi');

/** The text of a page without code, comments and the addresses of its links. */
const textOf = (markdown: string): string =>
  blocksOf(markdown)
    .reduce((text, block) => text.replace(block.text, ''), markdown)
    .replaceAll(/<!--[\s\S]*?-->/g, '')
    .replaceAll(/`[^`\n]*`/g, 'code')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');

const countWords = (text: string): number => text.split(/\s+/).filter((word) => /\w/.test(word)).length;

/** The first words of a text, to find it by. */
const beginning = (text: string): string => text.trim().split(/\s+/).slice(0, 8).join(' ');

const cellsOf = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => line.split('|'));

const sentencesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => (/^(?:\||#)/.test(line) ? '' : line))
    .join('\n')
    .split(/\n\s*\n|\n *(?:-|\d+\.) |(?<=[.!?:;])\s+/);

/** What has to be read twice on a page: sentences and cells that are long, and words of the {@link habits}. */
export const hardToRead = (markdown: string): string[] => {
  const text = textOf(markdown);
  const long = (parts: string[], most: number, what: string): string[] =>
    parts
      .filter((it) => countWords(it) > most)
      .map((it) => `a ${what} of ${countWords(it)} words, at most ${most}: ${beginning(it)} …`);
  return [
    ...long(sentencesOf(text), sentenceWords, 'sentence'),
    ...long(cellsOf(text), cellWords, 'cell'),
    ...[...text.matchAll(habit)].map(
      ({ 0: word, index }) => `"${word}": ${beginning(text.slice(Math.max(0, index - 30), index + 60))} …`,
    ),
  ];
};
