import { describe, expect, it } from '@jest/globals';
import { adminProgram } from '@stanza/local/admin/program';
import type { Command } from 'commander';
import { z } from 'zod';
import { jestLevels, readSelection } from '../runner/levels.ts';
import { unmatchedPaths } from '../runner/plan.ts';
import { pages, pageText } from './markdown.ts';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(pageText('package.json')));

/** The end of a command in a text: of its code, its line, or where its output goes. */
const typed = /\badmin(?: --)? (?<words>(?:<[\w-]+>|[^`#|<>\n])*)/;
const ways = /(?:npm run(?: --silent)?|docker compose run --rm|run\.js) (?=admin\b)/;

/** The operator's commands that a page names, by their words. */
const commandsOn = (text: string): string[][] =>
  [...text.matchAll(new RegExp(ways.source + typed.source, 'g'))].map(({ groups }) =>
    (groups?.words?.match(/"[^"]*"|[^\s"]+/g) ?? []).filter((word) => word !== '--help'),
  );

/** What would be said to someone who types the words; undefined when they would be understood. */
const refusalOf = (words: readonly string[], command: Command = adminProgram()): string | undefined => {
  const [first, ...rest] = words;
  if (command.commands.length > 0) {
    if (first === undefined) return undefined;
    const next = command.commands.find((it) => it.name() === first);
    return next ? refusalOf(rest, next) : `there is no ${first}`;
  }
  const values: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (!word.startsWith('--')) values.push(word);
    else {
      const option = command.options.find((it) => it.long === word);
      if (!option) return `${command.name()} has no ${word}`;
      if (option.required || option.optional) at += 1;
    }
  }
  const { length } = command.registeredArguments;
  // A command that is only named, as in "`migrate` applies what is pending", says nothing of its values.
  if (values.length === 0 || values.some((value) => value === '…')) return undefined;
  return values.length === length
    ? undefined
    : `${command.name()} takes ${length} values: ${values.join(' ')}`;
};

describe("the operator's commands on the pages", () => {
  it.each(pages())('of %s are those that there are, wherever they stand', (page) => {
    const refusals = commandsOn(pageText(page)).map((words) => refusalOf(words));
    expect(refusals.filter((refusal) => refusal !== undefined)).toEqual([]);
  });

  it('are found in texts and in blocks', () => {
    expect(pages().flatMap((page) => commandsOn(pageText(page))).length).toBeGreaterThan(40);
  });

  it('whose answer goes into a file are silent: npm says first what it runs', () => {
    const loud = pages().flatMap((page) => pageText(page).match(/npm run admin -- [^`|\n<]* > .*/g) ?? []);
    expect(loud).toEqual([]);
  });

  it.each([
    ['`npm run admin -- credits give <organization-id> 5`', 'there is no give'],
    ['npm run admin -- credits log <organization-id> --colour red\n', 'log has no --colour'],
    ['npm run --silent admin -- keys create <organization-id> --name "a b" > key.json', undefined],
    ['npm run admin -- idempotency settle $ONE $TWO  # both', 'settle takes 1 values: $ONE $TWO'],
    ['`npm run admin -- credits log <organization-id> --kind reversal`', undefined],
  ])('are understood as a shell does: %s', (text, refusal) => {
    expect(commandsOn(text).map((words) => refusalOf(words))).toEqual([refusal]);
  });
});

/** The parts of paths on a page, after `npm test --`, that no test file of the named levels has. */
const unmatchedOn = (text: string): string[] =>
  [...text.matchAll(/npm test -- (?<words>[^`#\n]+?) *(?=[`#\n]|$)/g)].flatMap(({ groups }) => {
    const { checks, paths } = readSelection((groups?.words ?? '').split(' '));
    const parts = paths.filter((path) => !path.startsWith('--'));
    return unmatchedPaths(
      jestLevels.filter((it) => checks.includes(it)),
      parts,
    );
  });

describe('tests on the pages', () => {
  it.each(pages())('of %s are there, at the levels that it names', (page) => {
    expect(unmatchedOn(pageText(page))).toEqual([]);
  });

  it('are found in texts and in blocks', () => {
    const text = 'run `npm test -- unit no-such`\nnpm test -- e2e decisions   # too\nnpm test -- --short\n';
    expect(unmatchedOn(text)).toEqual(['no-such', 'decisions']);
  });
});

describe('scripts on the pages', () => {
  it.each(pages())('of %s are those of the project', (page) => {
    const named = [...pageText(page).matchAll(/\bnpm run (?<name>[\w:]+)/g)];
    expect(named.filter(({ groups }) => scripts[groups?.name ?? ''] === undefined).map(([it]) => it)).toEqual(
      [],
    );
  });
});
