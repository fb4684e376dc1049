import fc from 'fast-check';

/** Texts that have broken such engines: marks, braces, broken Unicode, names of prototypes. */
export const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
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

const filters = [
  '',
  ' | upper',
  ' | default:"x"',
  ' | truncate:5',
  ' | number:1',
  ' | date:"medium"',
  ' | json',
  ' | count',
  ' | join:"-"',
  ' | mention',
  ' | link:"l"',
  ' | time_ago',
];
const paths = ['a', 'b.c', 'c[0]', 'this', 'list', '__proto__.x'];
const pieces = fc.oneof(
  fc
    .tuple(fc.constantFrom(...paths), fc.constantFrom(...filters))
    .map(([path, filter]) => `{{${path}${filter}}}`),
  fc.constantFrom('plain ', '<', '>', '*bold* ', '\\{{no}} ', '😀', '<https://example.com|x> '),
);
const text = fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));

const plainText = text.map((given) => ({ type: 'plain_text', text: given }));
const anyText = fc
  .tuple(fc.constantFrom('plain_text', 'mrkdwn'), text)
  .map(([type, given]) => ({ type, text: given }));
const option = fc.record({ text: plainText, value: fc.constant('v') });
const button = fc.record(
  {
    type: fc.constant('button'),
    text: plainText,
    value: text,
    confirm: fc.record({ text: anyText }),
    action_id: fc.constantFrom('go', 'stop'),
  },
  { requiredKeys: ['type', 'text'] },
);
const select = fc.record(
  {
    type: fc.constant('static_select'),
    placeholder: plainText,
    options: fc.array(option, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['type', 'options'] },
);
const image = fc.record({
  type: fc.constant('image'),
  image_url: fc.constant('https://example.com/a.png'),
  alt_text: text,
});
const inline = fc.oneof(
  fc.record({ type: fc.constant('text'), text }),
  fc.record({ type: fc.constant('link'), url: fc.constant('https://example.com'), text }),
);
const richSection = fc.record({
  type: fc.constant('rich_text_section'),
  elements: fc.array(inline, { maxLength: 3 }),
});

const blockOf = fc.oneof(
  fc.record({ type: fc.constant('header'), text: plainText }),
  fc.record(
    {
      type: fc.constant('section'),
      text: anyText,
      fields: fc.array(anyText, { minLength: 1, maxLength: 4 }),
      accessory: fc.oneof(button, select, image),
      id: fc.constantFrom('x', 'x_0', 'y'),
    },
    { requiredKeys: ['type', 'text'] },
  ),
  fc.record({ type: fc.constant('divider') }),
  image,
  fc.record({
    type: fc.constant('context'),
    elements: fc.array(fc.oneof(anyText, image), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({
    type: fc.constant('actions'),
    elements: fc.array(fc.oneof(button, select), { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ type: fc.constant('markdown'), text }),
  fc.record({
    type: fc.constant('rich_text'),
    elements: fc.array(richSection, { minLength: 1, maxLength: 3 }),
  }),
);

const directiveOf = (children: fc.Arbitrary<unknown[]>): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.record(
      {
        type: fc.constant('directive'),
        directive: fc.constant('#each'),
        path: fc.constant('list'),
        children,
        max_items: fc.integer({ min: 1, max: 4 }),
        overflow_text: fc.constant('{{remaining}} more'),
        empty: children,
      },
      { requiredKeys: ['type', 'directive', 'path', 'children'] },
    ),
    fc.record({
      type: fc.constant('directive'),
      directive: fc.constant('#if'),
      condition: fc.record({ path: fc.constantFrom('a', 'list') }),
      children,
      else: children,
    }),
  );

/** A template that parses. */
export const soundTemplate: fc.Arbitrary<unknown[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: blockOf },
    directiveOf(
      fc.array(fc.oneof(blockOf, directiveOf(fc.array(blockOf, { maxLength: 2 }))), { maxLength: 2 }),
    ),
  ),
  { maxLength: 6 },
);

/** Data for it: often what it reads, of the types that it can show. */
export const templateData: fc.Arbitrary<Record<string, unknown>> = fc.record(
  {
    a: scalar,
    b: fc.record({ c: scalar }),
    c: fc.array(scalar, { maxLength: 3 }),
    list: fc.array(fc.oneof(hostileText, fc.integer()), { maxLength: 8 }),
  },
  { requiredKeys: [] },
);
