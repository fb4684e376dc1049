import { describe, expect, it } from '@jest/globals';
import { limits, PartSpent, parseView, runView } from './index.ts';
import { attempt, compile, directive, now, problemsOf, section } from './testing/compile.ts';

describe('budgets', () => {
  const nest = (levels: number, inner: unknown): unknown =>
    levels === 0 ? inner : directive('#each', { path: 'items', children: [nest(levels - 1, inner)] });
  const never = directive('#if', { condition: { path: 'never' }, children: [section('x')] });
  const each = (path: string, child: unknown) => directive('#each', { path, children: [child] });
  const many = { items: Array.from({ length: 200 }, (_, index) => index) };

  it('end nested loops', () => {
    expect(problemsOf([nest(7, never)], many)).toMatchObject([
      { rule: 'budget', limit: 'engine.iterations', max: limits['engine.iterations'].max },
    ]);
  });

  it('end a loop over a huge list', () => {
    expect(problemsOf([nest(1, never)], { items: Array(1_000_000).fill(1) })).toMatchObject([
      { limit: 'engine.iterations', actual: 1_000_000 },
    ]);
  });

  it('end an output of too many bytes', () => {
    const line = { type: 'rich_text_section', elements: [{ type: 'text', text: '{{text}}' }] };
    const blocks = [{ type: 'rich_text', elements: [nest(1, line)] }];
    expect(problemsOf(blocks, { ...many, text: 'x'.repeat(10_000) })).toMatchObject([
      { limit: 'engine.output_bytes' },
    ]);
  });

  it('count the bytes of what is not one byte a character', () => {
    const line = { type: 'rich_text_section', elements: [{ type: 'text', text: '{{text}}' }] };
    const blocks = [{ type: 'rich_text', elements: [nest(1, line)] }];
    const data = { items: Array(40).fill(1), text: '一'.repeat(10_000) };
    expect(problemsOf(blocks, data)).toMatchObject([
      { limit: 'engine.output_bytes', actual: expect.any(Number) },
    ]);
  });

  it('end too many objects', () => {
    const dots = { type: 'rich_text_section', elements: Array(400).fill({ type: 'text', text: '.' }) };
    expect(problemsOf([{ type: 'rich_text', elements: [nest(1, dots)] }], many)).toMatchObject([
      { limit: 'engine.nodes' },
    ]);
  });

  // A pattern that tries every way to part the text would take days for the first, and a quarter of an hour for the second.
  const spaced = [
    ['marks of lists in front of half a mark', 'markdown', `${'-   '.repeat(24)}x#{{a}}`],
    ['spaces in front of the address of a link', 'markdown', `[a](${' '.repeat(500_000)}x{{a}}`],
    ['spaces behind the name of a text', 'section', `{{@t${'\t'.repeat(500_000)}|`],
  ] as const;
  it.each(spaced)('are not needed for texts, which are read once from start to end: %s', (_, type, text) => {
    expect(attempt([type === 'section' ? section(text) : { type, text }], { a: '1 b' })).toBeDefined();
  });

  it.each([
    ['placeholders', '{{a}}'.repeat(3_000)],
    ['filters of long texts', '{{long | upper | lower | truncate:1}}'],
    ['filters of long lists', '{{list | join:"" | truncate:1}}'],
    ['keys of big objects', '{{object | count}}'],
    ['JSON of big values', '{{object | json | truncate:1}}'],
    ['formats', Array.from({ length: 60 }, (_, index) => `{{n | date:"YYYY[${index}]"}}`).join('')],
  ])('end work that is not seen in the output: %s', (_, text) => {
    const data = {
      items: Array.from({ length: 5_000 }, (__, index) => index),
      a: '.',
      n: 1_700_000_000,
      long: 'x'.repeat(200_000),
      list: Array(100_000).fill('x'),
      object: Object.fromEntries(Array.from({ length: 20_000 }, (__, index) => [`k${index}`, index])),
    };
    const quiet = directive('#if', { condition: { path: 'never' }, children: [section('x')] });
    const blocks = [
      directive('#each', {
        path: 'items',
        children: [{ type: 'divider', id: text.slice(0, 1) && `x${text}` }, quiet],
      }),
    ];
    expect(problemsOf(blocks, data).map(({ limit }) => limit)).toContain('engine.evaluations');
  });

  it('end conditions that look through big values', () => {
    const data = {
      items: Array(20_000).fill(1),
      object: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1])),
    };
    const test = directive('#if', {
      condition: { path: 'object', operator: 'empty' },
      children: [section('x')],
    });
    expect(problemsOf([directive('#each', { path: 'items', children: [test] })], data)).toMatchObject([
      { limit: 'engine.evaluations' },
    ]);
  });

  it('end loops over the keys of a big object, however few of them are shown', () => {
    const object = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 1]));
    const inner = directive('#each', { path: 'object', max_items: 1, children: [never] });
    const blocks = [directive('#each', { path: 'items', children: [inner] })];
    expect(problemsOf(blocks, { items: Array(1_000).fill(1), object })).toMatchObject([
      { limit: 'engine.evaluations' },
    ]);
  });

  const nothings = [
    ['an empty list', []],
    ['what is no list', 5],
    ['what is missing', undefined],
  ] as const;
  it.each(nothings)('end a loop through entries that emit nothing, as inner loops over %s', (_, nothing) => {
    const blocks = [directive('#each', { path: 'items', children: Array(200).fill(each('a', never)) })];
    expect(problemsOf(blocks, { items: Array(2_000).fill(1), a: nothing })).toMatchObject([
      { limit: 'engine.evaluations' },
    ]);
  });

  it('end counting the characters of a long text again and again', () => {
    const test = directive('#if', {
      condition: { path: 'text.length', operator: 'lt', value: 1 },
      children: [section('x')],
    });
    const data = { items: Array(20_000).fill(1), text: 'x'.repeat(100_000) };
    expect(problemsOf([directive('#each', { path: 'items', children: [test] })], data)).toMatchObject([
      { limit: 'engine.evaluations' },
    ]);
  });

  it('end conditions that look for a long text in a long one', () => {
    const test = directive('#if', {
      condition: { path: 'text', operator: 'contains', value: { path: 'part' } },
      children: [section('x')],
    });
    const data = { text: 'a'.repeat(40_000), part: `${'a'.repeat(10_000)}b` };
    expect(problemsOf([test], data)).toMatchObject([{ limit: 'engine.evaluations' }]);
    expect(compile([test], { ...data, part: 'ab' }).blocks).toEqual([]);
  });

  const raw = (text: string) => ({ type: 'raw_text', text });
  const long = { wide: Array(7_000).fill(1), tall: Array(7_000).fill(1) };

  it.each([
    [
      'a table that would be filled up to millions of cells',
      [each('tall', [raw('x')]), [each('wide', raw('x'))]],
    ],
    ['a table of more rows than fit', [each('tall', [raw('x'), raw('y')])]],
  ])('end %s', (_, rows) => {
    const problems = problemsOf([{ type: 'table', rows }], long);
    expect(problems.map(({ limit }) => limit)).toContainEqual(expect.stringMatching(/^(?:engine|table)\./));
  });

  it('end a chart of thousands of points with one label, without comparing each with each', () => {
    const chart = {
      type: 'chart',
      title: 'T',
      chart: 'bar',
      source: 'tall',
      label: 'x{{this}}',
      value: '{{this}}',
    };
    expect(problemsOf([chart], long)).toMatchObject([{ limit: 'chart.points', actual: 7_000 }]);
  });

  it('end what hides in containers, cards and options alike', () => {
    const card = { type: 'card', title: { type: 'plain_text', text: '{{this}}' } };
    const option = { text: { type: 'plain_text', text: '{{this}}' } };
    const box = {
      type: 'container',
      title: { type: 'plain_text', text: 'x' },
      child_blocks: [each('huge', section('x'))],
    };
    const templates = [
      [{ type: 'carousel', source: 'huge', item: card }],
      [{ type: 'actions', elements: [{ type: 'overflow', options: { source: 'huge', item: option } }] }],
      [box],
    ];
    for (const blocks of templates) {
      expect(problemsOf(blocks, { huge: Array(50_000).fill(1) })).toMatchObject([
        { limit: 'engine.iterations' },
      ]);
    }
  });

  it('hold for views as for messages', () => {
    const blocks = [nest(7, never)];
    const parsed = parseView({ title: 'T', blocks });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    expect(runView(parsed.program, many, { now })).toMatchObject({
      ok: false,
      code: 'compilation_failed',
      problems: [{ rule: 'budget', limit: 'engine.iterations' }],
    });
  });
});

describe('what a template is told', () => {
  const names = Array.from({ length: 5_000 }, (_, index) => `a_long_name_of_a_value_${index}`);
  const charactersOf = (told: unknown): number => JSON.stringify(told).length;

  it('does not repeat all names of the template for each name that is wrong', () => {
    const given = Object.fromEntries(names.map((name) => [name, 'a']));
    const inside = directive('#with', { with: given, children: [section('{{wrong}}'.repeat(300))] });
    const problems = problemsOf([inside], {});
    expect(problems[0]?.message).toMatch(/ and 4990 more\.$/);
    expect(charactersOf(problems)).toBeLessThan(100_000);
  });

  it('does not list all values that are shortened', () => {
    const text = names.slice(0, 1_000).map((name) => `{{${name}}}`);
    const data = Object.fromEntries(names.map((name) => [name, 'x'.repeat(40)]));
    const { warnings } = compile([section(text.join(' '))], data);
    expect(warnings.join()).toMatch(/ and 990 more are shortened\.$/);
  });

  it('A problem is cut, however long the one name is that it repeats', () => {
    const problems = problemsOf([section(`{{${'k'.repeat(400_000)} | upper}}`)], {}, { strict: true });
    expect(problems).toMatchObject([{ rule: 'value.missing', message: expect.stringMatching(/k…$/) }]);
    expect(charactersOf(problems)).toBeLessThan(5_000);
  });

  it('is no more than fits a list, however long the keys are that each of it names', () => {
    const key = 'k'.repeat(20_000);
    const wrong = Object.fromEntries(names.slice(0, 50).map((name) => [`${name}!`, 'x']));
    const texts = directive('#translations', { translations: { [key]: wrong } });
    const problems = problemsOf([section('x'), texts], {});
    expect(charactersOf(problems)).toBeLessThan(150_000);
    expect(problems.at(-1)).toMatchObject({ rule: 'problems.more', actual: expect.any(Number) });
  });
});

describe('a part of the budgets', () => {
  const loop = [directive('#each', { path: 'items', max_items: 10, children: [section('{{this}}')] })];
  const each = (length: number) => ({ items: Array.from({ length }, (_, index) => `item ${index}`) });
  const hidden = directive('#if', { condition: { path: 'never' }, children: [section('x')] });
  const rounds = [directive('#each', { path: 'items', children: [hidden] })];

  it('is enough for what asks for little', () => {
    expect(compile(loop, each(10), { part: 0.1 })).toEqual(compile(loop, each(10)));
  });

  it('ends a run that needs more of it, and does not call that a problem', () => {
    expect(() => attempt(rounds, each(3_000), { part: 0.1 })).toThrow(PartSpent);
    expect(compile(rounds, each(3_000)).blocks).toEqual([]);
  });

  it('leaves the answer as it is for what is beyond the whole', () => {
    const most = limits['engine.iterations'].max;
    expect(attempt(rounds, each(most + 1), { part: 0.1 })).toEqual(attempt(rounds, each(most + 1)));
  });

  it('holds for views as well', () => {
    const parsed = parseView({ title: 'T', blocks: rounds });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const { program } = parsed;
    expect(() => runView(program, each(3_000), { now, part: 0.1 })).toThrow(PartSpent);
  });
});
