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

A running gateway serves these pages as a site at \`/docs/\`, with search and an API reference. Images include the site; in a checkout,
\`npm run docs:site\` builds it.

${readers.map((reader) => [`## ${reader.title}`, reader.who, ...tablesOf(reader)].join('\n\n')).join('\n\n')}

Tests run the commands of every page in order. A command that tests cannot run is marked \`<!-- not run: why -->\`. Tests also check the requests, settings, metrics,
codes and pages that a page names. Generated from \`docs/site/navigation.ts\` by \`npm run docs\`.
`;
