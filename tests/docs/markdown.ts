import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { anchorOf } from '../../docs/site/build/anchor-of.ts';

/** The folder of the project. */
export const root = join(import.meta.dirname, '../..');

/** Every page for people: those at the top, `docs/`, and what lies next to what it is about. */
export const pages = (): string[] =>
  globSync(['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'shared/*/README.md', 'tests/bench/results.md'], {
    cwd: root,
  })
    .filter((file) => !/\/(node_modules|dist)\//.test(file))
    .sort();

/** The text of a page. */
export const pageText = (file: string): string => readFileSync(join(root, file), 'utf8');

/** A fenced block of a page. */
export interface Block {
  language: string;
  text: string;
  /** Line on which its fence stands, from 1. */
  line: number;
  /** What stands in a comment right above it: `<!-- not run: … -->`. */
  mark: string | undefined;
}

const fence =
  /^(?: *<!--(?<mark>(?:(?!-->)[\s\S])*)-->\n+)?(?<indent> *)```(?<language>\w*)\n(?<text>[\s\S]*?)^ *```$/gm;

/** The fenced blocks of a page, in order; those in lists too. */
export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(fence)].map(({ 0: whole, index, groups = {} }) => {
    const { mark, indent = '', language = '', text = '' } = groups;
    const line = markdown.slice(0, index + whole.indexOf(`${indent}\`\`\`${language}\n`)).split('\n').length;
    return { language, text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''), line, mark: mark?.trim() };
  });

/** The page without what is shown as code, which holds no links. */
const prose = (markdown: string): string =>
  markdown.replaceAll(fence, '').replaceAll(/`[^`\n]*`/g, (code) => 'c'.repeat(code.length));

/** Where the links of a page lead, as they are written. */
export const linksOf = (markdown: string): string[] =>
  [...prose(markdown).matchAll(/\]\(([^()\s]+)\)/g)].map(([, to]) => to ?? '');

/** The anchors of a page; a heading that comes again gets a number. */
export const anchorsOf = (markdown: string): string[] => {
  const seen = new Map<string, number>();
  return [...markdown.replaceAll(fence, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const anchor = anchorOf(heading);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
};
