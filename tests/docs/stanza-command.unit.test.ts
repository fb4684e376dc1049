import { expect, it } from '@jest/globals';
import { stanzaCommand } from '@stanza/test-kit/stanza-command';
import { pageText } from './markdown.ts';

/** The first word of each line of a part of a help, such as `send` or `--channel`. */
const wordsOf = (help: string, part: string): string[] => {
  const [, lines = ''] = new RegExp(`^${part}:\n((?: .*\n?)+)`, 'm').exec(help) ?? [];
  return [...lines.matchAll(/^ {2}(?:-\w, )?(\S+)/gm)].flatMap(([, word]) => word ?? []);
};

/** A command and those below it, each with its options. */
const commandsBelow = async (words: readonly string[]): Promise<{ name: string; options: string[] }[]> => {
  const { out } = await stanzaCommand([...words, '--help']);
  const below: { name: string; options: string[] }[] = [];
  for (const word of wordsOf(out, 'Commands'))
    if (word !== 'help') below.push(...(await commandsBelow([...words, word])));
  return [{ name: words.join(' '), options: wordsOf(out, 'Options') }, ...below];
};

it('has all its commands and options on a page', async () => {
  const commands = await commandsBelow([]);
  expect(commands.length).toBeGreaterThan(25);
  const text = `${pageText('docs/cli.md')}${pageText('docs/languages.md')}${pageText('docs/agents.md')}`;
  const missing = commands.flatMap(({ name, options }) => [
    ...(text.includes(`stanza ${name}`) || text.includes(`\`${name}\``) ? [] : [name]),
    ...options.filter((it) => it !== '--help' && !text.includes(it)).map((it) => `${name} ${it}`),
  ]);
  expect(missing).toEqual([]);
});
