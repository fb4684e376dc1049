import { posix } from 'node:path';
import { type Entry, kinds, kindTitles, type Reader, readers } from './navigation.ts';

const row = ({ file, title, says }: Entry): string =>
  `| [${title}](${posix.relative('docs', file)}) | ${says} |`;

const tablesOf = (reader: Reader): string[] =>
  kinds.flatMap((kind) => {
    const rows = reader[kind].filter(({ built }) => !built).map(row);
    return rows.length === 0 ? [] : [`| ${kindTitles[kind]} | |\n|---|---|\n${rows.join('\n')}`];
  });

/** The page of contents: the documentation by reader, in Markdown. */
export const contentsPage = (): string => `# The documentation

A running gateway serves these pages as a site, at \`/docs/\`, with a search and a reference of the API. An image has it; in a checkout
\`npm run docs:site\` builds it.

${readers.map((reader) => [`## ${reader.title}`, reader.who, ...tablesOf(reader)].join('\n\n')).join('\n\n')}

The commands of all pages are run by tests, in the order in which they stand; one that cannot be is marked \`<!-- not run: why -->\`. What pages name
(requests, settings, metrics, codes, other pages) is checked too. Made from \`docs/site/navigation.ts\` by \`npm run docs\`.
`;
