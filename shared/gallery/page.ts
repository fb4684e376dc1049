import { type Exhibit, exhibits } from './exhibits.ts';
import { usedBy } from './used.ts';

const intro = `# Gallery of templates

The gallery has ready-made templates for typical messages. Each folder of [shared/gallery](../shared/gallery) contains

- \`template.json\`, a message for \`POST /v1/templates\`, or \`modal.json\`, a modal for \`POST /v1/modals\`,
- \`data.json\`, its data, which can also be its \`sample_data\`,
- \`expected.json\`, the result: blocks, notification text and metadata of a message, or the view of a modal.

Templates with \`#translations\` are in three languages, one of them written from right to left; the \`locale\` of a request
selects the language ([languages](languages.md)). Templates with \`#use\` share a [partial](partials.md) of
[shared/gallery/partials](../shared/gallery/partials) for \`POST /v1/partials\`. Create the partial and activate its version 1
before these templates.

\`npm run gallery\` creates all templates in the demo of \`npm start\` and sends every message to the sandbox. To create a single one:

\`\`\`sh
KEY=stz_…
API=http://127.0.0.1:8787
cd shared/gallery/deploy-alert
node -p "JSON.stringify({ ...require('./template.json'), sample_data: require('./data.json') })" |
  curl -s $API/v1/templates -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d @-
\`\`\`

Ids of modals and destinations in an \`interaction\` are examples: replace them with your own.

To add a template, create a folder with the first two files, generate the third with \`npm run gallery:expect\`, and review it. The tests
check it against the limits of the platform, send it to the sandbox and verify it on the sandbox's page.
\`npm run docs\` adds it to this page. Together the templates use every feature of the [language](templates.md).
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
    '| template | purpose | blocks | directives and filters |',
    '|---|---|---|---|',
    ...exhibits.filter((exhibit) => exhibit.kind === kind).map(row),
    '',
  ].join('\n');

/** The page of the gallery in `docs/`. */
export const galleryPage = (): string => intro + table('Messages', 'message') + table('Modals', 'modal');
