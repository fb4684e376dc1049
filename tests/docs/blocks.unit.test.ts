import { globSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { blocksOf, pages, pageText, root } from './markdown.ts';
import { reasonNotToRun, shellBlocks } from './run-page.ts';

/** The kinds of a block: commands, or text that cannot be run. */
const languages = ['sh', 'ts', 'json', 'yaml', 'python', 'ini', 'sql', 'text'];

/** The beginning of a line that someone would paste into a shell. */
const command = /^(?:npm|npx|node|curl|docker|kubectl|psql|pg_\w+|git|nats(?:-server)?) /m;

/** Pages whose shell blocks a test runs, by the word of that test. */
const pagesRun = new Set(
  globSync('tests/**/*.test.ts', { cwd: root }).flatMap((file) =>
    [...pageText(file).matchAll(/\brun(?:Page)?\(\s*'(?<page>[^']+\.md)'/g)].map(
      ({ groups }) => groups?.page ?? '',
    ),
  ),
);

const hasBlocksToRun = (page: string): boolean =>
  shellBlocks(page).some((block) => reasonNotToRun(block) === undefined);

describe('what is shown as code', () => {
  it.each(pages())('on %s says what it is, and commands say that they are some', (page) => {
    const text = pageText(page);
    const blocks = blocksOf(text);
    // What looks like a block is one: none is passed over because of how it stands there.
    expect(text.match(/^ *```/gm) ?? []).toHaveLength(2 * blocks.length);
    for (const { language, line, text: code } of blocks) {
      expect([line, languages]).toEqual([line, expect.arrayContaining([language])]);
      if (language !== 'sh') expect([line, command.test(code)]).toEqual([line, false]);
    }
  });
});

describe('the commands of the pages', () => {
  it.each(pages().filter(hasBlocksToRun))('of %s are run by a test', (page) => {
    expect([...pagesRun]).toContain(page);
  });

  it('are run on no page that has none', () => {
    expect([...pagesRun].filter((page) => !hasBlocksToRun(page))).toEqual([]);
  });

  const marked = pages().flatMap((page) =>
    shellBlocks(page).flatMap((block) => (block.mark === undefined ? [] : [{ page, ...block }])),
  );

  it.each(marked.map((it) => [`${it.page}:${it.line}`, it] as const))(
    'at %s have a mark that is known, and are left out for a reason only',
    (_, { mark = '' }) => {
      expect(mark).toMatch(/^(?:answers [45]\d\d|not run: \w{2,} .+)$/s);
      for (const [file] of mark.matchAll(/(?:tests|shared)\/[\w./-]+\.ts/g)) {
        expect([file, globSync(file, { cwd: root })]).toEqual([file, [file]]);
      }
    },
  );
});
