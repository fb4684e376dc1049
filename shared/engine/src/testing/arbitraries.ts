import { anyText } from '@stanza/test-kit/any-text';
import fc from 'fast-check';
import { directions } from '../text/directions.ts';

const allDirections = new RegExp(`[${directions}]`, 'g');

/** Texts that have broken such engines: marks, braces, broken Unicode, names of prototypes. */
export const hostileText = fc.oneof(
  anyText({ maxLength: 40 }),
  fc.constantFrom(
    '<!channel>',
    '<!here|x>',
    '!channel',
    '@U0ADA',
    '<@U0ADA>',
    '<https://example.com|click>',
    '&lt;!channel&gt;',
    '&amp;',
    '{{a}}',
    '{{#each list}}',
    '}}',
    '__proto__',
    'constructor',
    '\u0000',
    '\ud800',
    '👨‍👩‍👧'.repeat(60),
    ':smile::skin-tone-3:'.repeat(300),
    'x'.repeat(5_000),
    '&'.repeat(4_000),
    `a${'\u0301'.repeat(4_000)}`,
  ),
  fc
    .array(fc.constantFrom('<', '>', '&', '!', '@', '|', 'channel', '`', '*'), { maxLength: 12 })
    .map((parts) => parts.join('')),
);

/** A text without the directions of its letters, which the engine ends with a value. */
export const withoutDirections = (text: string): string => text.replace(allDirections, '');

/** Values full of marks, line ends and characters next to them. */
export const markedText = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        ...[
          '\u2066',
          '\u202E',
          '\u2069',
          '*',
          '**',
          '_',
          '__',
          '~',
          '`',
          '``',
          '```',
          '~~~',
          '[',
          ']',
          '(',
          ')',
          '](',
          '\\',
          '#',
          '# ',
          '- ',
          '+ ',
        ],
        ...[
          '1. ',
          '2) ',
          '---',
          '-- -',
          '===',
          '> ',
          '<',
          '>',
          '&',
          '&copy;',
          '<b>',
          '<!here>',
          '<https://e.com>',
          '!',
          '|',
        ],
        ...[
          'a',
          'b c',
          'snake_case',
          'é',
          '1',
          '.',
          ' ',
          '  ',
          '    ',
          '\n',
          '\n\n',
          '\t',
          'https://e.com/a_b_',
          ':x:',
        ],
      ),
      { minLength: 1, maxLength: 12 },
    )
    .map((parts) => parts.join('')),
  hostileText.filter((text) => text.length < 1_000),
  fc.constantFrom(
    'arr[0] && x<y> C:\\dir',
    '*.ts and *.js',
    '__init__.py',
    '~/bin',
    '```\ncode\n```',
    '**bold**',
  ),
);

const scalar = fc.oneof(
  hostileText,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(-0, Number.POSITIVE_INFINITY, 1e308, 5e-324),
);

const words = [
  'type',
  'directive',
  'section',
  'header',
  'actions',
  'elements',
  'text',
  'fields',
  'mrkdwn',
  'plain_text',
  '#each',
  '#if',
  'path',
  'children',
  'condition',
  'all',
  'interaction',
  '{{a | date:"YYYY"}}',
  '{{@index}}',
];
const key = fc.oneof(fc.constantFrom(...words, '__proto__', 'toString'), fc.string({ maxLength: 5 }));

const deep = (levels: number): unknown => {
  let value: unknown = 'bottom';
  for (let level = 0; level < levels; level += 1)
    value = level % 2 === 0 ? [value] : { children: value, not: value };
  return value;
};

/** Any JSON value, made of what templates are made of, and some that are very deep. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, fc.constantFrom(...words), scalar, tie('list'), tie('object')),
      list: fc.array(tie('value'), { maxLength: 5 }),
      object: fc.dictionary(key, tie('value'), { maxKeys: 6 }),
    })).value,
  },
  { weight: 1, arbitrary: fc.constantFrom(30, 2_000, 20_000).map(deep) },
);

/** Data for a template of `template-arbitraries.ts`: often what it reads, of the types that it can show. */
export const templateData: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    a: scalar,
    b: fc.record({ c: scalar }),
    c: fc.array(scalar, { maxLength: 3 }),
    list: fc.array(fc.oneof(hostileText, fc.integer()), { maxLength: 8 }),
  },
  { requiredKeys: [] },
);
