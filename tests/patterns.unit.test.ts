import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, Script } from 'node:vm';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '..');
// The view of a preview is made by a build: a script in a string, whose patterns are written twice.
const sources = globSync('{services,shared}/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
  (file) => !/\.test\.tsx?$|\/testing\/|\/preview-view\.ts$/.test(file),
);

/** A literal stands where a value can begin; what looks like one and is none is no valid pattern, or finds nothing. */
const literal =
  /(?:[(,=:[!&|?{;]|=>|\breturn|^)\s*\/(?![*/])((?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+)\/([dgimsuvy]*)(?=[\s.,;)\]}:])/gm;

/** The patterns of the product, each with the files in which it stands. */
const patterns = new Map<string, Set<string>>();
for (const file of sources) {
  for (const [, source = '', flags = ''] of readFileSync(join(root, file), 'utf8').matchAll(literal)) {
    const pattern = `/${source}/${flags}`;
    patterns.set(pattern, (patterns.get(pattern) ?? new Set()).add(file));
  }
}

/** What stands in front of a text, and what it is made of. */
const starts = ['', 'a', '#', '(', '[', '"', '{{', '{{@t', '- ', 'a://', '@', '<', '~~~'];
const parts = [
  ...['a', ' ', '\t', '\n', '[', '(', '"', '\\"', '- ', '-      '],
  ...['.', 'a.', '#', '=', '<', '|', '{{', 'a://', '1'],
];
/**
 * A pattern that looks at each character from each takes minutes for this many, and one that reads them once no time.
 */
const length = 100_000;
const texts = starts.flatMap((start) =>
  parts.map((part) => `${start}${part.repeat(length / part.length)}\u0000x`),
);

/** Patterns that may part a text in more than one way, each with what keeps long texts from it. */
const bounded: readonly (readonly [RegExp, string])[] = [
  [
    /\{\{\s*((?:[^\s|}[]|\[(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\d*)\])+)\s*((?:\|[^}]*)?)\}\}/gs,
    'The console reads what the person in front of it has written.',
  ],
  [/=+$/, 'The base64 of a header has 5,464 characters.'],
  [/^ *(.+?) +eq +"([^"]*)" *$/i, 'The schema of the filter takes 400 characters.'],
  [/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/gs, 'The text has been parsed as JSON: each quote has another.'],
  [
    /\[[^\]]*\]|YYYY|yyyy|YY|yy|MMMM|MMM|MM|M|dddd|ddd|DD|dd|D|d|HH|H|hh|h|mm|ss|A|a/g,
    'A date pattern has 100 characters.',
  ],
  [/(?:#{1,6}|\d{1,9}|[-+]+|=+)$/, 'It looks back by 100 characters.'],
];

const run = new Script('for (const text of texts) { pattern.lastIndex = 0; pattern.test(text); }');
const isSlow = (pattern: RegExp): boolean => {
  try {
    run.runInContext(createContext({ pattern, texts }), { timeout: 10_000 });
    return false;
  } catch (error) {
    if (Object(error).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return true;
    throw error;
  }
};

describe('the patterns of the product', () => {
  it('are found', () => {
    expect(patterns.size).toBeGreaterThan(300);
    expect(bounded.filter(([pattern]) => !patterns.has(String(pattern)))).toEqual([]);
  });

  it('read a text in one way, however long it is, but for a few with a reason', () => {
    const known = new Set(bounded.map(([pattern]) => String(pattern)));
    const slow = [...patterns].filter(([written]) => {
      const end = written.lastIndexOf('/');
      return !known.has(written) && isSlow(new RegExp(written.slice(1, end), written.slice(end + 1)));
    });
    expect(slow.map(([written, files]) => `${written} ${[...files].join(' ')}`)).toEqual([]);
  });
});
