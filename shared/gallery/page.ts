import { type Exhibit, exhibits } from './exhibits.ts';
import { usedBy } from './used.ts';

const intro = `# Gallery of templates

Templates to copy, each for a message that organizations really send. Each folder of [shared/gallery](../shared/gallery) holds

- \`template.json\`, a message as \`POST /v1/templates\` takes it, or \`modal.json\`, a modal as \`POST /v1/modals\` takes it,
- \`data.json\`, the data that it is compiled with, which can also be its \`sample_data\`,
- \`expected.json\`, the result: blocks, notification text and metadata of a message, or the view of a modal.

Templates with \`#translations\` are in three languages, one of them written from right to left; the \`locale\` of a request
chooses ([languages](languages.md)). Those with \`#use\` share a [partial](partials.md) of
[shared/gallery/partials](../shared/gallery/partials), as \`POST /v1/partials\` takes it; create it and make its version 1 live
before them.

\`npm run gallery\` creates all of them in the demo that \`npm start\` runs, and sends every message to the sandbox. To create one:

\`\`\`sh
KEY=stz_…
API=http://127.0.0.1:8787
cd shared/gallery/deploy-alert
node -p "JSON.stringify({ ...require('./template.json'), sample_data: require('./data.json') })" |
  curl -s $API/v1/templates -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d @-
\`\`\`

Ids of modals and destinations in an \`interaction\` are examples: replace them by your own.

To add a template, make a folder with the first two files, let \`npm run gallery:expect\` write the third, and read it. The tests
check it against the limits of the platform, send it to the sandbox and look for it on the sandbox's page.
\`npm run docs\` adds it to this page. Together the templates use every word of the [language](templates.md).
`;

const wordsOf = (exhibit: Exhibit, tables: readonly string[]): string =>
  [...usedBy(exhibit)]
    .map((used) => used.split(':'))
    .filter(([table = '']) => tables.includes(table))
    .map(([, word]) => `\`${word}\``)
    .filter((word, index, words) => words.indexOf(word) === index)
    .sort()
    .join(' ');

const row = (exhibit: Exhibit): string => {
  const { slug, source } = exhibit;
  const blocks = wordsOf(exhibit, ['blocks']);
  const logic = wordsOf(exhibit, ['directives', 'filters']);
  return `| [${slug}](../shared/gallery/${slug}) | ${source.description} | ${blocks} | ${logic} |`;
};

const table = (title: string, kind: Exhibit['kind']): string =>
  [
    `\n## ${title}\n`,
    '| template | what it is for | blocks | directives and filters |',
    '|---|---|---|---|',
    ...exhibits.filter((exhibit) => exhibit.kind === kind).map(row),
    '',
  ].join('\n');

/** The page of the gallery in `docs/`. */
export const galleryPage = (): string => intro + table('Messages', 'message') + table('Modals', 'modal');
