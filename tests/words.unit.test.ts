import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..');

const files = globSync('{services,shared,deploy,tests}/**/*.{ts,tsx,mjs,js}', {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|dist|\.stanza)$/.test(name),
});

/** Words that the glossary of CONTRIBUTING.md has replaced, with the word that stands for each. */
const retired: readonly (readonly [word: string, instead: string])[] = [
  ['parts', 'dependencies'],
  ['places', 'concurrency limit'],
  ['in-time', 'with-timeout'],
  ['keyed-request', 'idempotency claim'],
  ['misuse', 'invariant'],
  ['refusals', 'errors'],
  ['passing', 'transient'],
  ['surprising', 'unexpected'],
  ['delays', 'retries'],
  ['exchange', 'request context, OAuth token or chat call'],
  ['presenter', 'present-*'],
  ['presenters', 'present-*'],
  ['most', 'max'],
  ['least', 'min'],
  ['tell', 'emit, report or log'],
];

/** Names of the field that contain a retired word: OAuth exchanges a code; the delays of the relay are times. */
const allowed = ['exchange-code', 'relay-delays', 'at-least', 'at-most'];

/** Splits a name into words: `newRelayDelays` and `new-relay-delays` alike. */
const wordsOf = (name: string): string =>
  `-${name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .replaceAll(/[^A-Za-z\d]+/g, '-')
    .toLowerCase()}-`;

/** Lists the retired words in a name, each with its replacement. */
const retiredIn = (name: string): string[] => {
  const words = allowed.reduce((rest, term) => rest.replace(`-${term}-`, '-'), wordsOf(name));
  return retired
    .filter(([word]) => words.includes(`-${word}-`) || words.includes(`-${word}s-`))
    .map(([word, instead]) => `${name}: write ${instead}, not ${word}`);
};

/** Folders and files that the layout has renamed. */
const retiredPath =
  /^tests\/watch\/|^shared\/(?:stack|sandbox)\/|^tests\/gallery\/exhibits|\/src\/(?:.*\/)?kit\b/;

describe('names', () => {
  it.each(retired)('with the retired word “%s” are found', (word) => {
    expect(retiredIn(`services/some/src/${word}.ts`)).not.toEqual([]);
    const [first = '', ...rest] = word.split('-');
    const upper = [first, ...rest].map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');
    expect(retiredIn(`new${upper}Thing`)).not.toEqual([]);
  });

  it('of the field are let through', () => {
    const good = ['replaceSecret', 'placeServices', 'exchangeCode', 'relayDelays', 'dependencies.ts'];
    expect(good.flatMap(retiredIn)).toEqual([]);
  });

  it('of files and folders hold no word that the glossary has retired', () => {
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap(retiredIn)).toEqual([]);
    expect(files.filter((file) => retiredPath.test(file))).toEqual([]);
  });

  it('of exports hold no word that the glossary has retired', () => {
    const exported =
      /^export (?:const|let|async function|function|class|abstract class|type|interface) (\w+)/gm;
    const names = files
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(exported)])
      .map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(2_000);
    expect([...new Set(names)].flatMap(retiredIn)).toEqual([]);
  });
});
