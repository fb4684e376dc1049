import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { builtFiles } from '@stanza/sdk-emitter/built-files';
import { anchorsOf, blocksOf, linksOf, pages, pageText, root } from './markdown.ts';

/** What is wrong with a link of a page; undefined when it leads somewhere. */
const problemOf = (page: string, link: string): string | undefined => {
  if (/^https?:/.test(link)) return undefined;
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : relative(root, join(root, dirname(page), path));
  if (builtFiles.some((file) => file === target)) return `${link}: ${target} is not in the repository`;
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
    expect(problemOf('docs/sdk.md', 'sdk-reference.md')).toMatch(/is not in the repository$/);
    expect(problemOf('README.md', '#start')).toBeUndefined();
  });
});

describe('runbooks', () => {
  const folder = 'docs/runbooks';
  const names = pages()
    .filter((page) => page.startsWith(`${folder}/`) && !page.endsWith('/README.md'))
    .map((page) => page.slice(folder.length + 1));
  // An alert's page bears the name of the alert, those of tasks a sentence.
  const isAlert = (name: string): boolean => /^# [A-Z][A-Za-z]+$/m.test(pageText(`${folder}/${name}`));
  const alerts = names.filter(isAlert);
  const tasks = names.filter((name) => !isAlert(name));
  const leads = (from: string, to: string): boolean => linksOf(pageText(`${folder}/${from}`)).includes(to);

  it('are of alerts or of tasks, and all stand in the list', () => {
    expect([tasks.length > 3, alerts.length > 20]).toEqual([true, true]);
    expect(names.filter((name) => !leads('README.md', name))).toEqual([]);
  });

  it.each(tasks)('%s is what an alert leads to, and names each alert that does', (task) => {
    const leading = alerts.filter((alert) => leads(alert, task));
    expect(leading).not.toEqual([]);
    expect(alerts.filter((alert) => leads(task, alert))).toEqual(leading);
  });
});

describe('programs on pages', () => {
  const programs: readonly (readonly [string, readonly string[]])[] = [
    ['README.md', ['send-in-typescript.ts']],
    ['docs/agents.md', ['agent.ts']],
    ['docs/integrating.md', ['send-once.ts', 'receive.ts']],
    ['docs/sdk.md', ['send-in-typescript.ts', 'sdk-errors.ts', 'sdk-testing.ts', 'sdk-receive.ts']],
  ];

  it.each(programs)('of %s are those of tests/docs/examples, which are checked and run', (page, files) => {
    const shown = blocksOf(pageText(page)).filter(({ language }) => language === 'ts');
    const whole = shown.filter(({ text }) => text.startsWith('import '));
    expect(whole.map(({ text }) => text)).toEqual(
      files.map((file) => pageText(`tests/docs/examples/${file}`)),
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
