import { readdirSync, readFileSync } from 'node:fs';
import type { McpServer } from '@modelcontextprotocol/server';

/** The pages of the documentation, as they lie in the project. */
const folder = new URL('../../../docs/', import.meta.url);

/** A page of the documentation. */
export interface DocumentationPage {
  /** As in `agents`. */
  name: string;
  /** The address by which a host reads it. */
  uri: string;
  title: string;
  text: string;
}

/** A part of a page: a heading, and the text up to the next one. */
export interface Passage {
  uri: string;
  page: string;
  heading: string;
  text: string;
}

const titleOf = (text: string): string | undefined => /^# (.+)$/m.exec(text)?.[1];

const readPage = (file: string): DocumentationPage => {
  const name = file.replace(/\.md$/, '');
  const text = readFileSync(new URL(file, folder), 'utf8');
  return { name, uri: `stanza://docs/${name}`, title: titleOf(text) ?? name, text };
};

let read: readonly DocumentationPage[] | undefined;

/** The pages of the documentation, read once: they come with the program. */
export const documentationPages = (): readonly DocumentationPage[] => {
  read ??= readdirSync(folder)
    .filter((file) => file.endsWith('.md') && file !== 'README.md')
    .sort()
    .map(readPage);
  return read;
};

const passagesOf = ({ uri, title, text }: DocumentationPage): Passage[] =>
  text.split(/^(?=#{1,4} )/m).flatMap((part) => {
    const [first = '', ...lines] = part.split('\n');
    const heading = /^#+ (.+)$/.exec(first)?.[1];
    const body = lines.join('\n').trim();
    return heading === undefined || body === '' ? [] : [{ uri, page: title, heading, text: body }];
  });

/** Words of a question that say nothing of its subject. */
const fillers = new Set(
  'an and are be can do does for from how if in is it my of on or the to what when where which why with'.split(
    ' ',
  ),
);

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_-]{2,}/gu) ?? [];

/** A searched word counts as found in its forms too: "schedule" in "schedules". */
const countOf = (word: string, words: readonly string[]): number =>
  words.filter((it) => it.startsWith(word)).length;

interface Indexed {
  passage: Passage;
  headings: string[];
  words: string[];
}

let indexed: readonly Indexed[] | undefined;

const passages = (): readonly Indexed[] => {
  indexed ??= documentationPages()
    .flatMap(passagesOf)
    .map((passage) => ({
      passage,
      headings: wordsOf(`${passage.page} ${passage.heading}`),
      words: wordsOf(passage.text),
    }));
  return indexed;
};

/** How much a word in the heading counts, against one in the text. */
const headingWeight = 3;

/** The passages that fit words best: those with more of the words, and with rarer ones, first. */
export const searchPages = (text: string, most: number): Passage[] => {
  const all = passages();
  const searched = [...new Set(wordsOf(text))]
    .filter((word) => !fillers.has(word))
    .map((word) => {
      const counts = all.map(({ headings, words }) => {
        const inText = countOf(word, words);
        return headingWeight * countOf(word, headings) + inText / (inText + 1);
      });
      const having = counts.filter((count) => count > 0).length;
      return { counts, weight: having === 0 ? 0 : Math.log(1 + all.length / having) };
    });
  return all
    .map(({ passage }, at) => {
      const scores = searched.map(({ counts, weight }) => weight * Math.min(2, counts[at] ?? 0));
      const share = scores.filter((it) => it > 0).length / searched.length;
      return { passage, score: share * scores.reduce((sum, it) => sum + it, 0) };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, most)
    .map(({ passage }) => passage);
};

/** Offers every page as a resource. */
export const registerPages = (server: McpServer): void => {
  for (const { name, uri, title, text } of documentationPages()) {
    const mimeType = 'text/markdown';
    server.registerResource(name, uri, { title, mimeType }, async () => ({
      contents: [{ uri, mimeType, text }],
    }));
  }
};
