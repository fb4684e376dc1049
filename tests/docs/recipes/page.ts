import { anchorOf } from '../../../docs/site/build/anchor-of.ts';
import { groups, recipes, type Told } from './list.ts';
import { readRecipe } from './recipes.ts';

const intro = `# Recipes: what to do with values

Each recipe shows a part of a template, data for it, and the message that they make. A value of the data stands between two pairs of braces, as in \`{{service}}\`; what
follows a \`|\` is a filter, which says how to show it. The console's editor takes all of this in its text fields, and *Paste JSON* takes a whole block.

The files are in [docs/examples/recipes](examples/recipes): the template as \`POST /v1/templates\` takes it, its data, and the result. A test compiles each of them. The page of
[blocks, filters and limits](templates.md) lists everything else.
`;

/** Characters of a text that the page shows; the file has all. */
const shownCharacters = 90;

const shorten = (value: unknown): unknown => {
  if (typeof value === 'string' && value.length > shownCharacters) {
    return `${value.slice(0, shownCharacters)}… (${value.length} characters)`;
  }
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner)]));
};

/** Columns of a line of JSON next to a picture. */
const columns = 66;

/** JSON with lists and objects in one line where they fit. */
const compactJson = (value: unknown, indent = ''): string => {
  const isList = Array.isArray(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const entries = Object.entries(value).map(
    ([key, entry]) => [isList ? '' : `${JSON.stringify(key)}: `, entry] as const,
  );
  if (entries.length === 0) return isList ? '[]' : '{}';
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }'];
  const line = `${open}${entries.map(([name, entry]) => `${name}${compactJson(entry, inner)}`).join(', ')}${close}`;
  if (!line.includes('\n') && indent.length + line.length <= columns) return line;
  const lines = entries.map(([name, entry]) => `${inner}${name}${compactJson(entry, inner)}`);
  return `${open.trim()}\n${lines.join(',\n')}\n${indent}${close.trim()}`;
};

/** One block by itself, or a list of several. */
const blocksShown = (blocks: readonly unknown[]): unknown => (blocks.length === 1 ? blocks[0] : blocks);

const section = ({ slug, title, about, alt }: Told): string => {
  const { template, data } = readRecipe(slug);
  return `### ${title}

${about}

<table><tr><td>

\`\`\`json
${compactJson(blocksShown(template.blocks))}
\`\`\`

with

\`\`\`json
${compactJson(shorten(data))}
\`\`\`

</td><td>

![${alt}](images/recipes/${slug}.png)

</td></tr></table>
`;
};

/** The page of the recipes. */
export const recipesPage = (): string =>
  [intro, ...groups.flatMap((group) => [`## ${group.title}\n`, ...group.recipes.map(section)])].join('\n');

/** The recipes as links, for the page that has the tables. */
export const recipeLinks = (): string =>
  recipes.map(({ title }) => `- [${title}](recipes.md#${anchorOf(title)})`).join('\n');
