import { describe, expect, it } from '@jest/globals';
import { paletteOf } from '../document/palette.ts';
import { type Evaluated, evaluate, readSchema } from './evaluate.ts';

const now = new Date('2026-11-21T08:30:00Z');
const section = (text: string) => ({ type: 'section', id: 'a', text: { type: 'mrkdwn', text } });
const run = (blocks: readonly unknown[], data: Evaluated['data'] = {}, more: Partial<Evaluated> = {}) =>
  evaluate({ blocks, data, ...more }, now);

describe('what is said of a template', () => {
  it('is its message, what it reads, and nothing where all is well', () => {
    const { output, fields, findings } = run([section('Hello {{name}}')], { name: 'Ada' });
    expect(output).toMatchObject({ text: 'Hello Ada', warnings: [] });
    expect(fields?.map(({ name }) => name)).toEqual(['name']);
    expect(findings).toEqual([]);
  });

  it('makes the message in the tried language, and falls back to the language of the template', () => {
    const translations = { de: { a: 'Hallo', b: 'Welt' }, en: { a: 'Hello' } };
    const texts = { type: 'directive', directive: '#translations', translations };
    const tried = run([section('{{@t.a}} {{@t.b}}'), texts], {}, { locale: 'en', ownLocale: 'de' });
    expect(tried.output?.text).toBe('Hello Welt');
  });

  it('names the place of a missing value, and the name that was meant', () => {
    const { findings } = run([section('Hello {{nmae}}')], { name: 'Ada' });
    expect(findings[0]).toMatchObject({
      kind: 'warning',
      pointer: '/blocks/0/text/text',
      hint: 'Did you mean `name`?',
      remedy: { kind: 'text', name: 'name', given: 'nmae', pointer: '/blocks/0/text/text' },
    });
  });

  it('means a key by its letters, also in quotes, and never one that would need them', () => {
    const data = { row: { 'first name': 'Ada', last_name: 'L' } };
    const remedyOf = (text: string) => run([section(text)], data).findings[0]?.remedy;
    expect(remedyOf('Hello {{row["first nmae"]}}')).toMatchObject({
      given: 'first nmae',
      name: 'first name',
    });
    expect(remedyOf('Hello {{row.firstname}}')).toBeUndefined();
    expect(remedyOf('Hello {{row["last-name"]}}')).toMatchObject({ given: 'last-name', name: 'last_name' });
  });

  it('is a problem where missing values are forbidden, and then there is no message', () => {
    const { output, findings } = run([section('{{name}}')], {}, { strict: true });
    expect(output).toBeUndefined();
    expect(findings.map(({ kind, pointer }) => [kind, pointer])).toContainEqual([
      'problem',
      '/blocks/0/text/text',
    ]);
  });

  it('names a key that was mistyped, and the one that was meant', () => {
    const { findings } = run([{ ...section('x'), accesory: {} }]);
    expect(findings[0]).toMatchObject({
      kind: 'problem',
      remedy: { kind: 'key', given: 'accesory', name: 'accessory', pointer: '/blocks/0/accesory' },
    });
  });

  it('shows a limit with its figure', () => {
    const { findings } = run(Array.from({ length: 51 }, (_, at) => ({ type: 'divider', id: `d${at}` })));
    expect(findings[0]).toMatchObject({ pointer: '/blocks', limit: expect.stringContaining('at most 50') });
  });

  it('warns where every block is empty', () => {
    const empty = { type: 'directive', directive: '#each', path: 'list', children: [section('x')] };
    expect(run([empty], { list: [] }).findings.map(({ message }) => message)).toContain(
      'Every block is empty: there is nothing to send.',
    );
  });

  it.each(['message', 'view'] as const)(
    'begins without a problem in a %s, but where a value must be named',
    (surface) => {
      const problems = paletteOf(readSchema(), surface).flatMap(({ name, make }) =>
        run([make()], {}, { surface })
          .findings.filter(({ kind }) => kind === 'problem')
          .map(({ message, hint }) => [name, message, hint]),
      );
      const unnamed = [
        'No value of the data is named here yet.',
        'Name one, as in `items` or `order.total`.',
      ];
      expect(problems).toEqual([
        ['Repeat for each…', ...unnamed],
        ['If…', ...unnamed],
      ]);
    },
  );
});
