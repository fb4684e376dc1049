import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Entry, entries, kinds, kindTitles, type Reader, readers } from '../navigation.ts';
import { anchorOf } from './anchor-of.ts';
import { apiPages } from './api-reference.ts';
import { drawnExhibits, drawnGallery } from './gallery.ts';
import { locator, sitePage } from './markdown.ts';
import { addressOf, siteFileOf } from './paths.ts';

const root = join(import.meta.dirname, '../../..');
const dist = join(import.meta.dirname, '../dist');

/** A line of a menu, as the generator takes it. */
interface MenuItem {
  readonly text: string;
  readonly link?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly MenuItem[];
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

const write = (file: string, text: string): void => {
  const path = join(dist, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** Pages that hold every word and answer nothing, so that the search leaves them out. */
const unsearched = new Set([
  'CHANGELOG.md',
  'tests/bench/results.md',
  'docs/console-states.md',
  'docs/threat-model.md',
]);

/** The pages of the checkout below an entry that stands for its folder. */
const filesBelow = ({ file, folder }: Entry): string[] =>
  folder
    ? globSync(`${dirname(file)}/*.md`, { cwd: root })
        .filter((it) => it !== file)
        .sort()
    : [];

const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1]?.replaceAll('`', '') ?? '';

const menuOf = (entry: Entry, api: readonly MenuItem[]): MenuItem => {
  const below =
    entry.file === 'docs/api/index.md'
      ? api
      : filesBelow(entry).map((file) => ({ text: titleOf(read(file)), link: addressOf(file) }));
  return {
    text: entry.title,
    link: addressOf(entry.file),
    ...(below.length > 0 && { collapsed: true, items: below }),
  };
};

/**
 * Writes what the generator reads into `dist`: the pages with links of the site, the reference of the API, the drawn
 * gallery, and the menus.
 */
export const prepare = (): void => {
  rmSync(dist, { recursive: true, force: true });
  const drawn = drawnExhibits();
  const own = entries.filter(({ file }) => file !== 'docs/api/index.md');
  const files = ['docs/README.md', ...own.flatMap((entry) => [entry.file, ...filesBelow(entry)])];
  const locate = locator(files, Object.keys(drawn));
  for (const file of files) {
    const text =
      (unsearched.has(file) ? '---\nsearch: false\n---\n' : '') + sitePage(read(file), file, locate);
    write(`pages/${siteFileOf(file)}`, file === 'docs/gallery.md' ? text + drawnGallery() : text);
  }
  const api = apiPages();
  for (const { name, text } of api) write(`pages/api/${name}.md`, text);
  write('exhibits.json', JSON.stringify(drawn));
  cpSync(join(root, 'docs/images'), join(dist, 'pages/public/images'), { recursive: true });
  const apiMenu = api
    .filter(({ name }) => name !== 'index')
    .map(({ name, title }) => ({ text: title, link: `/api/${name}` }));
  const placeOf = ({ title }: Reader): string => `/#${anchorOf(title)}`;
  const sidebar: MenuItem[] = readers.map((reader) => ({
    text: reader.title,
    link: placeOf(reader),
    collapsed: true,
    items: kinds
      .filter((kind) => reader[kind].length > 0)
      .map((kind) => ({
        text: kindTitles[kind],
        items: reader[kind].map((entry) => menuOf(entry, apiMenu)),
      })),
  }));
  const nav = readers.map((reader) => ({ text: reader.title, link: placeOf(reader) }));
  const { version }: { version: string } = JSON.parse(read('package.json'));
  write('menus.json', JSON.stringify({ version, nav, sidebar }));
};
