import { describe, expect, it } from '@jest/globals';
import { compile, directive, problemsOf, section, textsOf, written } from '../../testing/compile.ts';

const order = { order: { id: 'A-1', total: 12.5, paid: true }, items: [{ name: 'one' }, { name: 'two' }] };

describe('paths', () => {
  it.each([
    ['{{order.id}}', 'A-1'],
    ['{{ order.id }}', 'A-1'],
    ['{{items[1].name}}', 'two'],
    ['{{items.0.name}}', 'one'],
    ['{{this.order.id}}', 'A-1'],
    ['{{order.total}} {{order.paid}}', '12.5 true'],
    ['a {{order.id}}, b {{order.total}}.', 'a A-1, b 12.5.'],
  ])('reads %s', (text, expected) => {
    expect(written(text, order)).toBe(expected);
  });

  it('reads own properties alone', () => {
    const texts = [
      'constructor',
      'constructor.constructor',
      '__proto__.x',
      'toString',
      'order.hasOwnProperty',
      'order.length',
      'order.total.length',
    ];
    for (const path of texts) {
      const { blocks, warnings } = compile([section(`[{{${path}}}]`)], order);
      expect(textsOf(blocks)).toEqual(['[]']);
      expect(warnings).toEqual([expect.stringContaining(path)]);
    }
  });

  it('does not read what a prototype has', () => {
    expect(written('[{{a}}]', Object.create({ a: 'inherited' }))).toBe('[]');
  });

  it('reads a key that JSON has given the name of a prototype', () => {
    expect(written('{{__proto__.x}}', JSON.parse('{"__proto__": {"x": "own"}}'))).toBe('own');
  });

  it.each(['a..b', 'a.', '.a', 'a[x]', 'a[-1]', 'a b', '../a', '@index', '@nothing'])(
    'refuses %s',
    (path) => {
      expect(problemsOf([section(`{{${path}}}`)])).toHaveLength(1);
    },
  );

  it.each([
    ['{{labels["app.kubernetes.io/name"]}}', 'api'],
    ["{{labels['app.kubernetes.io/name'] | upper}}", 'API'],
    ['{{["First Name"]}} {{ this["First Name"] }}', 'Ada Ada'],
    ['{{rows[0]["@id"].n}}', '1'],
    ['{{odd["}}"]}} {{odd["a|b"]}} {{odd["a]b"]}} {{odd["{{"]}}', '1 2 3 4'],
    [String.raw`{{odd["say \"hi\""]}} {{odd['it\'s']}} {{odd["a\\b"]}} {{odd["a\nb"]}}`, '5 6 7 8'],
    ['{{odd[""]}} {{odd["ключ 🗝"]}} {{["this"]}} {{odd.plain}}{{odd["plain"]}}', '9 10 own 1111'],
  ])('reads quoted keys: %s', (text, expected) => {
    const data = {
      labels: { 'app.kubernetes.io/name': 'api' },
      'First Name': 'Ada',
      rows: [{ '@id': { n: 1 } }],
      this: 'own',
      odd: {
        '}}': 1,
        'a|b': 2,
        'a]b': 3,
        '{{': 4,
        'say "hi"': 5,
        "it's": 6,
        'a\\b': 7,
        'a\nb': 8,
        '': 9,
        'ключ 🗝': 10,
        plain: 11,
      },
    };
    expect(written(text, data)).toBe(expected);
  });

  it('reads quoted keys as own properties alone', () => {
    expect(written('[{{["constructor"]}}{{order["__proto__"]}}]', order)).toBe('[]');
  });

  it('reads the length of lists and texts, and a key of that name of an object', () => {
    const data = { list: [1, 2], text: 'a😀', empty: '', object: { length: 'own' }, none: {} };
    expect(written('{{list.length}} {{text.length}} {{empty.length}} {{object.length}}', data)).toBe(
      '2 2 0 own',
    );
    expect(compile([section('x{{none.length}}{{text.length.length}}')], data).warnings).toEqual([
      expect.stringContaining('`none.length` is missing'),
      expect.stringContaining('`text.length.length` is missing'),
    ]);
  });

  it.each(['a[""', 'a["x]', 'a[\'x"]', 'a["x" ]', 'a[]', '["a"]b', '[0]', 'a."b"'])(
    'refuses a quoted key that is none: %s',
    (path) => {
      expect(problemsOf([section(`{{${path}}}`)])).toHaveLength(1);
    },
  );

  it.each([
    ['{{First Name}}', '["First Name"]'],
    ['{{row.First Name | upper}}', 'row["First Name"]'],
    ['{{items[0].First Name}}', 'items[0]["First Name"]'],
    ['{{name upper}}', 'name | upper'],
  ])('says of two words what is meant: %s', (text, meant) => {
    expect(problemsOf([section(text)])).toMatchObject([
      { rule: 'placeholder.syntax', hint: `Did you mean \`${meant}\`?` },
    ]);
  });

  it.each(['_source.@timestamp', 'labels.app/name', 'First-Name!'])(
    'says how other keys are written: %s',
    (path) => {
      expect(problemsOf([section(`{{${path}}}`)])).toMatchObject([
        { rule: 'path.syntax', hint: expect.stringContaining('labels["app.kubernetes.io/name"]') },
      ]);
    },
  );

  it.each([
    ['@timestamp', '["@timestamp"]'],
    ['@id.x', '["@id"].x'],
  ])('says of %s, which is no value of a loop, how a key of that name is written', (path, wanted) => {
    const [problem] = problemsOf([section(`{{${path}}}`)]);
    expect(problem).toMatchObject({ rule: 'path.syntax', hint: expect.stringContaining(`\`${wanted}\``) });
    expect(written(`{{${wanted}}}`, { '@timestamp': 'now', '@id': { x: 'now' } })).toBe('now');
  });

  it('refuses a path of more steps than any data has', () => {
    const [problem] = problemsOf([section(`{{${Array(40).fill('a').join('.')}}}`)]);
    expect(problem).toMatchObject({ rule: 'path.syntax', limit: 'engine.path_segments', actual: 40 });
  });
});

describe('paths in loops', () => {
  const each = (text: string, more: object = {}) => [
    directive('#each', {
      path: 'groups',
      as: 'group',
      children: [
        directive('#each', { path: 'group.members', as: 'member', children: [section(text)], ...more }),
      ],
    }),
  ];
  const data = {
    name: 'root',
    groups: [
      { name: 'A', members: [{ name: 'a' }, { name: 'b' }] },
      { name: 'B', members: [{ name: 'c' }] },
    ],
  };

  it.each([
    ['{{this.name}}', ['a', 'b', 'c']],
    ['{{member.name}}', ['a', 'b', 'c']],
    ['{{group.name}}', ['A', 'A', 'B']],
    ['{{../name}}', ['A', 'A', 'B']],
    ['{{../../name}}', ['root', 'root', 'root']],
    ['{{name}}', ['root', 'root', 'root']],
    ['{{@index}} {{@number}} {{@count}}', ['0 1 2', '1 2 2', '0 1 1']],
    ['{{@first}} {{@last}}', ['true false', 'false true', 'true true']],
    ['{{../@index}}', ['0', '0', '1']],
  ])('read %s', (text, expected) => {
    expect(textsOf(compile(each(text), data).blocks)).toEqual(expected);
  });

  it('read quoted keys of items, of enclosing ones, of bound names, and of the data', () => {
    const rows = [{ 'a b': 1, in: [{ 'a b': 2 }] }];
    const inner = directive('#each', {
      path: 'row["in"]',
      as: 'cell',
      children: [
        section(
          '{{this["a b"]}} {{cell["a b"]}} {{../["a b"]}} {{row["a b"]}} {{["a b"]}} {{["cell"]["a b"]}}',
        ),
      ],
    });
    const blocks = [directive('#each', { path: '["my rows"]', as: 'row', children: [inner] })];
    const { blocks: made, warnings } = compile(blocks, { 'my rows': rows, 'a b': 0, cell: { 'a b': 'own' } });
    expect([textsOf(made), warnings]).toEqual([['2 2 1 1 0 own'], []]);
  });

  it('bind the innermost of two equal names', () => {
    const blocks = [
      directive('#each', {
        path: 'groups',
        as: 'x',
        children: [directive('#each', { path: 'x.members', as: 'x', children: [section('{{x.name}}')] })],
      }),
    ];
    expect(textsOf(compile(blocks, data).blocks)).toEqual(['a', 'b', 'c']);
  });

  it('read items that are plain values', () => {
    const blocks = [directive('#each', { path: 'tags', children: [section('{{this}}')] })];
    expect(textsOf(compile(blocks, { tags: ['x', 2, false] }).blocks)).toEqual(['x', '2', 'false']);
  });

  it('refuse to lead out of more loops than there are', () => {
    expect(problemsOf(each('{{../../../name}}'))).toMatchObject([{ rule: 'path.scope' }]);
  });
});

describe('braces', () => {
  it('are text behind a backslash', () => {
    expect(written('\\{{name}} is {{name}}', { name: 'x' })).toBe('{{name}} is x');
  });

  it('may stand in a filter’s text', () => {
    expect(written('{{name | default:"}} {{"}}')).toBe('}} {{');
  });

  it.each(['{{name', '{{}}', '{{ | upper}}', '{{name upper}}', '{{{name}}}', '{{#each items}}', '{{else}}'])(
    'that are no placeholder are refused: %s',
    (text) => {
      expect(problemsOf([section(text)])).toMatchObject([
        { rule: 'placeholder.syntax', pointer: '/0/text/text' },
      ]);
    },
  );

  it.each([
    ['{{name | upper()}}', '`()` cannot stand behind the filter `upper`.'],
    ['{{name | truncate:5 upper}}', '`upper` cannot stand behind the filter `truncate`.'],
    ['{{name | default:"so "called""}}', '`called""` cannot stand behind the filter `default`.'],
    ['{{name | upper', 'The placeholder `{{name` is not closed by `}}`.'],
  ])('that close behind something else than a filter are told from open ones: %s', (text, message) => {
    expect(problemsOf([section(text)])).toMatchObject([{ rule: 'placeholder.syntax', message }]);
  });

  it('report every wrong placeholder of a text', () => {
    const rules = problemsOf([section('{{a | shout}} {{b..c}} {{d | upper:1}} {{e')]).map(({ rule }) => rule);
    expect(rules).toEqual(['filter.unknown', 'path.syntax', 'filter.arguments', 'placeholder.syntax']);
  });
});

const select = (more: object) => [
  { type: 'actions', elements: [{ type: 'multi_users_select', action_id: 'who', ...more }] },
];
const elementOf = (more: object, data: Record<string, unknown>): unknown => {
  const elements = compile(select(more), data).blocks[0]?.elements;
  return Array.isArray(elements) ? elements[0] : undefined;
};

describe('a placeholder alone in a property that is not text', () => {
  it('keeps the JSON type of numbers, booleans and lists of plain values', () => {
    const more = { initial_users: '{{users}}', max_selected_items: '{{most}}', focus_on_load: '{{focus}}' };
    expect(elementOf(more, { users: ['U1', 'U2'], most: 2, focus: true })).toMatchObject({
      initial_users: ['U1', 'U2'],
      max_selected_items: 2,
      focus_on_load: true,
    });
  });

  it('is left out when its value is missing, unless it has a default', () => {
    expect(elementOf({ max_selected_items: '{{most}}' }, {})).not.toHaveProperty('max_selected_items');
    expect(elementOf({ max_selected_items: '{{most | default:3}}' }, {})).toHaveProperty(
      'max_selected_items',
      3,
    );
  });

  it.each([
    ['an object', { max_selected_items: '{{value}}' }, { a: 1 }],
    ['a list of objects', { initial_users: '{{value}}' }, [{ a: 1 }]],
    ['a text for a number', { max_selected_items: '{{value}}' }, 'many'],
  ])('takes no %s', (_, more, value) => {
    expect(problemsOf(select(more), { value })).toMatchObject([
      { pointer: expect.stringContaining('/0/elements/0/') },
    ]);
  });

  it('is refused with text around it', () => {
    expect(problemsOf(select({ max_selected_items: '{{n}}0' }))).toMatchObject([
      { rule: 'placeholder.place' },
    ]);
  });

  it('never holds structure: a list of options is written, not read', () => {
    const blocks = [
      { type: 'actions', elements: [{ type: 'static_select', action_id: 's', options: '{{options}}' }] },
    ];
    expect(problemsOf(blocks, { options: [] })).toMatchObject([
      { rule: 'value.type', pointer: '/0/elements/0/options', hint: expect.stringContaining('#each') },
    ]);
  });
});

describe('values in text', () => {
  it('that are objects are told, with the way to a text', () => {
    const [problem] = problemsOf([section('{{order}}')], { order: {} });
    expect(problem).toMatchObject({ rule: 'value.object', pointer: '/0/text/text' });
  });

  it('that are lists of plain values are joined', () => {
    expect(written('{{tags}}', { tags: ['a', 1, true] })).toBe('a, 1, true');
  });

  it('that JSON cannot hold count as missing', () => {
    expect(written('[{{n}}]', { n: JSON.parse('1e400') })).toBe('[]');
    expect(written('[{{n}}]', { n: -0 })).toBe('[0]');
  });

  it('come out without U+0000 and lone surrogates', () => {
    expect(written('{{a}}', { a: 'a\u0000b\ud800c' })).toBe('ab\ufffdc');
  });
});
