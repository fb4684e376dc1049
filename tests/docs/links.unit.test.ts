import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { anchorsOf, blocksOf, linksOf, pages, pageText, root } from './markdown.ts';

/** What is wrong with a link of a page; undefined when it leads somewhere. */
const problemOf = (page: string, link: string): string | undefined => {
  if (/^https?:/.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(root, join(root, dirname(page), path));
  if (!existsSync(join(root, target))) return `${link}: there is no ${target}`;
  if (anchor === undefined) return undefined;
  return anchorsOf(pageText(target)).includes(anchor) ? undefined : `${link}: ${target} has no such heading`;
};

describe('links between pages', () => {
  it.each(pages())('of %s lead to something', (page) => {
    const problems = linksOf(pageText(page)).map((link) => problemOf(page, link));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
  });

  it('are seen as wrong when a page or a heading is missing', () => {
    expect(problemOf('docs/README.md', 'nowhere.md')).toBe('nowhere.md: there is no docs/nowhere.md');
    expect(problemOf('README.md', '#no-such-part')).toBe('#no-such-part: README.md has no such heading');
    expect(problemOf('README.md', '#start')).toBeUndefined();
  });
});

describe('programs on pages', () => {
  it('are those of tests/docs/examples, which are checked and run', () => {
    const shown = blocksOf(pageText('docs/integrating.md')).filter(({ language }) => language === 'ts');
    expect(shown.map(({ text }) => text)).toEqual(
      ['send-once.ts', 'receive.ts'].map((file) => pageText(`tests/docs/examples/${file}`)),
    );
  });
});

describe('the reader of pages', () => {
  const page =
    '# A `b` c\n\n[x](y.md)\n\n<!-- not run: why -->\n```sh\n# no heading [z](z)\n```\n\n## A b c\n';

  it('finds links and headings outside of code', () => {
    expect(linksOf(page)).toEqual(['y.md']);
    expect(anchorsOf(page)).toEqual(['a-b-c', 'a-b-c-1']);
  });

  it('finds blocks with their line and what is said above them', () => {
    expect(blocksOf(page)).toEqual([
      { language: 'sh', text: '# no heading [z](z)\n', line: 6, mark: 'not run: why' },
    ]);
  });
});
