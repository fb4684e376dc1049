import { describe, expect, it } from '@jest/globals';
import { countLanguages, deriveInputs, inspectTranslations, parseTemplate, requestFormat } from '../index.ts';
import {
  attempt,
  compile,
  directive,
  type Options,
  problemsOf,
  section,
  textsOf,
} from '../testing/compile.ts';

const translations = (languages: object) => directive('#translations', { translations: languages });

const shop = translations({
  en: {
    title: 'Order {{order.id}}',
    items: { plural: 'order.items', one: '{{order.items}} item', other: '{{order.items}} items' },
    help: 'https://example.com/en/help',
  },
  de: {
    title: 'Bestellung {{order.id}}',
    items: { plural: 'order.items', one: '{{order.items}} Artikel', other: '{{order.items}} Artikel' },
    help: 'https://example.com/de/help',
  },
  ar: {
    items: {
      plural: 'order.items',
      zero: 'لا عناصر',
      one: 'عنصر واحد',
      two: 'عنصران',
      few: '{{order.items}} عناصر',
      many: '{{order.items}} عنصرًا',
      other: '{{order.items}} عنصر',
    },
  },
  'de-CH': { title: 'Bstellig {{order.id}}' },
});

const said = (text: string, data: Record<string, unknown>, options: Options = {}): unknown =>
  textsOf(compile([section(text), shop], data, options).blocks)[0];

describe('texts in languages', () => {
  it.each([
    ['en-GB', 'Order 7'],
    ['de', 'Bestellung 7'],
    ['de-AT', 'Bestellung 7'],
    ['de-CH', 'Bstellig 7'],
    ['de-Latn-CH-1996', 'Bestellung 7'],
    ['fr', 'Order 7'],
    [undefined, 'Order 7'],
  ])('are those of the locale, of what it is a part of, or the template’s own: %s', (locale, text) => {
    expect(said('{{@t.title}}', { order: { id: 7 } }, locale === undefined ? {} : { locale })).toBe(text);
  });

  it('fall back text by text, to the language of the template', () => {
    expect(said('{{ @t.title }}', { order: { id: 7 } }, { locale: 'ar', ownLocale: 'de-DE' })).toBe(
      'Bestellung 7',
    );
    expect(said('{{@t.help}}', {}, { locale: 'de-CH' })).toContain('/de/help');
  });

  it('take the form of a number by the rules of their language', () => {
    const form = (items: unknown, locale: string) => said('{{@t.items}}', { order: { items } }, { locale });
    expect([form(1, 'en'), form('2', 'en'), form([1], 'en')]).toEqual(['1 item', '2 items', '1 item']);
    expect([0, 1, 2, 3, 11, 100].map((items) => form(items, 'ar-EG'))).toEqual([
      'لا عناصر',
      'عنصر واحد',
      'عنصران',
      '3 عناصر',
      '11 عنصرًا',
      '100 عنصر',
    ]);
  });

  it('show the form `other` for what is no number, with a warning', () => {
    const { blocks, warnings } = compile([section('{{@t.items}}'), shop], { order: { items: 'many' } });
    expect(textsOf(blocks)).toEqual(['many items']);
    expect(warnings).toEqual([expect.stringContaining('`order.items` is no number')]);
    expect(problemsOf([section('{{@t.items}}'), shop], {}, { strict: true })).toMatchObject([
      { rule: 'value.missing', pointer: '/0/text/text' },
    ]);
  });

  it('stand anywhere in a text, twice with forms, and read the items of loops', () => {
    const texts = translations({
      en: { of: { plural: 'this.n', one: 'one', other: '{{this.n}}' }, name: '*{{this.name}}*' },
    });
    const each = directive('#each', {
      path: 'rows',
      children: [
        section('{{@t.of}}/{{@t.of}} {{@t.name}} \\{{@t.name}} {{this.no | default:"{{@t.name}}"}}'),
      ],
    });
    const rows = [
      { n: 1, name: 'a' },
      { n: 2, name: 'b' },
    ];
    expect(textsOf(compile([each, texts], { rows }).blocks)).toEqual([
      'one/one *a* {{@t.name}} {{@t.name}}',
      '2/2 *b* {{@t.name}} {{@t.name}}',
    ]);
  });

  it('are addresses, labels and the text of the notification too, and follow the locale in numbers', () => {
    const button = {
      type: 'button',
      action_id: 'help',
      text: { type: 'plain_text', text: '{{@t.total}}' },
      url: '{{@t.help}}',
    };
    const texts = translations({
      en: { total: '{{sum | currency:"EUR"}}', help: 'https://example.com/en' },
      de: { total: '{{sum | currency:"EUR"}}', help: 'https://example.com/de' },
    });
    const options = { locale: 'de', fallbackText: 'Σ {{@t.total}}' };
    const { blocks, text } = compile(
      [{ type: 'actions', elements: [button] }, texts],
      { sum: 1234.5 },
      options,
    );
    expect(blocks[0]?.elements).toMatchObject([
      { text: { text: '1.234,50\u00a0€' }, url: 'https://example.com/de' },
    ]);
    expect(text).toBe('Σ 1.234,50\u00a0€');
  });

  it('are kept in the actions of a button in the language of the message', () => {
    const update = { type: 'update_message', strategy: 'append', blocks: [section('{{@t.done}} {{who}}')] };
    const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } };
    const blocks = [
      { type: 'actions', elements: [{ ...button, interaction: [update] }] },
      translations({ en: { done: 'Done by {{by}}' }, de: { done: 'Erledigt von {{by}}' } }),
    ];
    const { metadata } = compile(blocks, { by: 'Ada', who: 'x' }, { locale: 'de' });
    expect(JSON.stringify(metadata)).toContain('Erledigt von {{by}} {{who}}');
    expect(JSON.stringify(metadata)).toContain('Ada');
  });

  it('of a partial are its own', () => {
    const partial = directive('#with', {
      with: { n: 'count' },
      partial: { key: 'footer', version: 2 },
      children: [section('{{@t.x}} {{n}}'), translations({ fr: { x: 'Pied' }, en: { x: 'Foot' } })],
    });
    const blocks = [partial, section('{{@t.x}}'), translations({ en: { x: 'Top' }, de: { x: 'Oben' } })];
    const shown = (locale: string) => textsOf(compile(blocks, { count: 3 }, { locale }).blocks);
    expect([shown('fr'), shown('de'), shown('en')]).toEqual([
      ['Pied 3', 'Top'],
      ['Foot 3', 'Oben'],
      ['Foot 3', 'Top'],
    ]);
    const without = directive('#with', {
      with: {},
      partial: { key: 'f', version: 1 },
      children: [section('{{@t.x}}')],
    });
    expect(problemsOf([without, ...blocks])).toMatchObject([
      { rule: 'translations.unknown', pointer: '/0/children/0/text/text' },
    ]);
  });

  it('leave the inputs of the template as they are', () => {
    const parsed = parseTemplate([section('{{@t.title}} {{@t.items}}'), shop], { surface: 'message' });
    if (!parsed.ok) throw new Error('does not parse');
    expect(Object.keys(requestFormat(parsed.program)).sort()).toEqual(['order.id', 'order.items']);
    const { fields } = deriveInputs(parsed.program, {});
    expect(fields[0]?.fields).toMatchObject([
      { name: 'items', type: 'number' },
      { name: 'id', type: 'string' },
    ]);
  });

  it('Texts of all languages are read once', () => {
    const parsed = parseTemplate([section('{{@t.title}}'), shop], { surface: 'message' });
    if (!parsed.ok) throw new Error('does not parse');
    const german = parsed.program.inLanguage?.({ locale: 'de' });
    expect(german?.ok && german.program.texts[0]?.table).toBe(parsed.program.texts[0]?.table);
  });

  it('cost nothing where there are none', () => {
    const parsed = parseTemplate([section('{{x}}')], { surface: 'message' });
    expect(parsed.ok && parsed.program).toMatchObject({ texts: [] });
    expect(parsed.ok && parsed.program).not.toHaveProperty('inLanguage');
  });
});

describe('texts in languages are refused', () => {
  const en = (texts: object) => translations({ en: texts });

  it.each([
    ['without an entry', [section('{{@t.x}}')], 'translations.unknown', '/0/text/text'],
    ['without the key', [section('{{@t.titel}}'), shop], 'translations.unknown', '/0/text/text'],
    ['without a key', [section('{{@t}}'), shop], 'translations.place', '/0/text/text'],
    ['before a filter', [section('{{@t.title | upper}}'), shop], 'translations.place', '/0/text/text'],
    [
      'inside one another',
      [section('{{@t.a}}'), en({ a: '{{@t.b}}', b: 'x' })],
      'translations.place',
      '/0/text/text',
    ],
    [
      'in a condition',
      [directive('#if', { condition: { path: '@t.title' }, children: [] }), shop],
      'translations.place',
      '/0/condition/path',
    ],
    ['a second time', [shop, shop], 'translations.place', '/1'],
    [
      'inside a directive',
      [directive('#block', { children: [shop] })],
      'translations.place',
      '/0/children/0',
    ],
    [
      'with three forms in a string',
      [section('{{@t.items}} {{@t.items}} {{@t.items}}'), shop],
      'translations.place',
      '/0/text/text',
    ],
    ['of no language', [translations({})], 'required', '/0/translations'],
    ['of an unknown locale', [translations({ xx: {} })], 'locale', '/0/translations/xx'],
    ['of another spelling', [translations({ 'de-ch': {} })], 'locale', '/0/translations/de-ch'],
    ['that are a list', [directive('#translations', { translations: [] })], 'value.type', '/0/translations'],
    ['that are left out', [directive('#translations', {})], 'required', '/0'],
    ['with a number', [en({ a: 1 })], 'value.type', '/0/translations/en/a'],
    ['with an odd key', [en({ 'a b': 'x' })], 'translations.key', '/0/translations/en/a b'],
    ['without `other`', [en({ a: { plural: 'n', one: 'x' } })], 'required', '/0/translations/en/a'],
    ['without the number', [en({ a: { other: 'x' } })], 'required', '/0/translations/en/a'],
    [
      'with an unknown form',
      [en({ a: { plural: 'n', other: 'x', some: 'y' } })],
      'key.unknown',
      '/0/translations/en/a/some',
    ],
    ['that are too long', [en({ a: 'x'.repeat(12_001) })], 'limit.max', '/0/translations/en/a'],
    [
      'that are too many',
      [en(Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`k${index}`, 'x'])))],
      'limit.max',
      '/0/translations/en',
    ],
  ])('%s', (_, blocks, rule, pointer) => {
    const problems = problemsOf(blocks);
    expect(problems).toMatchObject([{ rule, pointer, message: expect.stringMatching(/\w.*\.$/s) }]);
  });

  it('with the way out', () => {
    expect(problemsOf([section('{{@t.titel}}'), shop])).toMatchObject([
      { hint: expect.stringContaining('title') },
    ]);
    expect(problemsOf([translations({ 'de-ch': {} })])).toMatchObject([{ hint: 'Write `de-CH`.' }]);
    expect(problemsOf([en({ order: { title: 'x' } })])).toMatchObject([
      { hint: expect.stringContaining('"order.title"') },
    ]);
  });

  it('in a run too, where another language than the template’s own does not parse', () => {
    const blocks = [section('{{@t.a}}'), translations({ en: { a: 'x' }, de: { a: '{{a | nix}}' } })];
    expect(attempt(blocks, {}, { locale: 'en' }).ok).toBe(true);
    expect(attempt(blocks, {}, { locale: 'de' })).toMatchObject({
      ok: false,
      code: 'compilation_failed',
      problems: [{ rule: 'filter.unknown' }],
    });
  });
});

describe('a look through all languages', () => {
  const look = (texts: object, text = '{{@t.a}}', ownLocale?: string) =>
    inspectTranslations([section(text), translations(texts)], { surface: 'message', ownLocale });

  it('finds nothing in a template without', () => {
    expect(inspectTranslations([section('x')], { surface: 'message' })).toBeUndefined();
    expect(look({ en: { a: '{{n}}' }, de: { a: 'n {{n | number:2}}' } })).toEqual({
      problems: [],
      warnings: [],
    });
  });

  it('names what is missing by language, and what no block reads', () => {
    const found = look({ en: { a: 'x', b: 'y' }, de: { b: 'z' }, 'de-CH': {}, fr: { a: 'x', b: 'y' } });
    expect(found?.problems).toEqual([]);
    expect(found?.warnings.map(({ message }) => message)).toEqual([
      '/1/translations/de: these texts are missing: `a`; those of `en` stand in.',
      '/1: no block reads these texts: `b`.',
    ]);
  });

  it('names a text that is empty, for which none stands in, unless it is empty in the own language too', () => {
    const found = look({ en: { a: '{{n}}', b: '' }, de: { a: '', b: '' } }, '{{@t.a}}{{@t.b}}');
    expect(found?.problems).toEqual([]);
    expect(found?.warnings).toMatchObject([
      {
        rule: 'translations.missing',
        pointer: '/1/translations/de/a',
        message: expect.stringContaining('that of `en` does not stand in'),
      },
    ]);
  });

  it('refuses a key that the template’s own language lacks', () => {
    const texts = { en: { a: 'x' }, de: {} };
    expect(look(texts)?.problems).toEqual([]);
    expect(look(texts, '{{@t.a}}', 'de-AT')?.problems).toMatchObject([
      {
        rule: 'translations.missing',
        pointer: '/1/translations/de',
        hint: expect.stringContaining('locale'),
      },
    ]);
  });

  it('refuses a placeholder that the template’s own text lacks, and names one that a language leaves out', () => {
    const found = look({
      en: { a: '{{n}} of {{all}}' },
      de: { a: '{{n}} von {{alle}}' },
      pl: { a: { plural: 'n', other: '{{n}} z {{all}}' } },
      fr: { a: { plural: 'm', other: '{{n}} {{all}}' } },
    });
    expect(found?.problems).toMatchObject([
      {
        rule: 'translations.placeholder',
        pointer: '/1/translations/de/a',
        message: expect.stringContaining('`alle`'),
      },
      { rule: 'translations.placeholder', pointer: '/1/translations/fr/a' },
    ]);
    expect(found?.warnings).toMatchObject([
      {
        pointer: '/1/translations/de/a',
        message: expect.stringContaining('`all` of the text of `en` is not shown'),
      },
    ]);
  });

  it('A warning names the forms of a number that a text lacks in its language, and those that none takes', () => {
    const other = '{{n}}';
    const found = look({
      en: { a: { plural: 'n', zero: 'none', one: '{{n}}', other } },
      // It has `many` for millions alone, as Czech has it for fractions.
      fr: { a: { plural: 'n', one: '{{n}}', other } },
      cs: { a: { plural: 'n', one: '{{n}}', few: '{{n}}', other } },
      ja: { a: { plural: 'n', other } },
      pl: { a: { plural: 'n', one: '{{n}}', other } },
      ru: { a: { plural: 'n', other } },
    });
    expect(found?.problems).toEqual([]);
    expect(found?.warnings).toMatchObject([
      {
        rule: 'translations.unused',
        pointer: '/1/translations/en/a',
        message: expect.stringContaining('`en` takes `zero`'),
      },
      {
        rule: 'translations.missing',
        pointer: '/1/translations/pl/a',
        message: expect.stringContaining('`few`, `many`'),
      },
    ]);
  });

  it('A check of texts lists as many warnings as a run does, and counts the others', () => {
    const texts = (text: string) =>
      Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`k${index}`, text]));
    const found = look({ en: { a: 'x', ...texts('{{n}}') }, de: texts('n') });
    expect(found?.warnings).toHaveLength(101);
    expect(found?.warnings.at(-1)).toMatchObject({ rule: 'warnings.more' });
  });

  it('reads every text, whatever loops stand around it', () => {
    const found = look({
      en: { a: '{{this.n}} {{../n}} {{@number}}', b: 'x' },
      de: { b: { plural: 'n', one: '{{x | nix}}', other: '{{' } },
    });
    expect(found?.problems).toMatchObject([
      { rule: 'filter.unknown', pointer: '/1/translations/de/b/one' },
      { rule: 'placeholder.syntax', pointer: '/1/translations/de/b/other' },
    ]);
  });

  it('parses the blocks in every language, those of partials too', () => {
    const link = (texts: object) => [
      { type: 'image', image_url: '{{@t.url}}', alt_text: 'x' },
      translations(texts),
    ];
    const texts = { en: { url: 'https://example.com/{{id}}' }, de: { url: 'javascript:{{id}}' } };
    expect(inspectTranslations(link(texts), { surface: 'message' })?.problems).toMatchObject([
      { rule: 'value.form', pointer: '/0/image_url', message: expect.stringContaining('In `de`: ') },
    ]);
    const partial = directive('#with', {
      with: { id: 'id' },
      partial: { key: 'p', version: 1 },
      children: link(texts),
    });
    const inside = directive('#block', { children: [partial] });
    expect(countLanguages([inside, section('x')])).toBe(2);
    expect(inspectTranslations([inside], { surface: 'message' })?.problems).toHaveLength(1);
    expect(inspectTranslations([partial], { surface: 'message' })?.problems).toMatchObject([
      { pointer: '/0/children/0/image_url' },
    ]);
  });
});
