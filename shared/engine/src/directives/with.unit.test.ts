import { describe, expect, it } from '@jest/globals';
import { deriveInputs, requestFormat } from '../index.ts';
import { compile, directive, problemsOf, section, textsOf } from '../testing/compile.ts';
import { programOf } from '../testing/derived.ts';

const given = (names: object, ...children: unknown[]) => directive('#with', { with: names, children });
const each = (path: string, ...children: unknown[]) => directive('#each', { path, as: 'it', children });

const shown = (blocks: readonly unknown[], data: Record<string, unknown> = {}) =>
  textsOf(compile(blocks, data).blocks);

describe('#with', () => {
  it('gives its children values of the data and of the template under names', () => {
    const blocks = [
      given(
        { author: 'user.name', team: { value: 'Core <b>' }, size: { value: 3 } },
        section('{{author}} of {{team | upper}}, {{size}}'),
      ),
    ];
    expect(shown(blocks, { user: { name: 'Ada' } })).toEqual(['Ada of CORE &lt;B&gt;, 3']);
  });

  it('lets a name be gone into, counted and looped over', () => {
    const blocks = [
      given(
        { user: 'order.user', lines: 'order.lines', tags: { value: ['a', { b: 'c' }] } },
        section('{{user.name.first}} {{lines.length}} {{tags[1].b}} {{tags.length}}'),
        each('lines', section('{{it.sku}} {{@number}}')),
        each('tags', section('{{@index}}')),
      ),
    ];
    const order = { user: { name: { first: 'Ada' } }, lines: [{ sku: 'x' }, { sku: 'y' }] };
    expect(shown(blocks, { order })).toEqual(['Ada 2 c 2', 'x 1', 'y 2', '0', '1']);
  });

  it('takes names from the loops around it, also from inside loops of its own', () => {
    const inner = given(
      { line: 'it.sku', at: '@number', order: '../id' },
      each('order.tags', section('{{order.name}} {{at}} {{line}} {{this}} {{@number}}')),
    );
    const blocks = [directive('#each', { path: 'orders', children: [each('this.lines', inner)] })];
    const orders = [{ id: { name: 'o', tags: ['s', 't'] }, lines: [{ sku: 'x' }, { sku: 'y' }] }];
    expect(shown(blocks, { orders })).toEqual(['o 1 x s 1', 'o 1 x t 2', 'o 2 y s 1', 'o 2 y t 2']);
  });

  it('stands inside another, whose names are then its data', () => {
    const innermost = given({ c: 'b.y', d: { value: 'z' } }, section('{{c}}{{d}}'));
    const blocks = [
      each('list', given({ a: 'it.x' }, each('a', given({ b: 'this' }, each('b.all', innermost))))),
    ];
    const list = [
      {
        x: [
          { all: [1], y: 'p' },
          { all: [1, 2], y: 'q' },
        ],
      },
    ];
    expect(shown(blocks, { list })).toEqual(['pz', 'qz', 'qz']);
  });

  it('reads `this`, `../` and quoted keys outside its own loops among the names', () => {
    const blocks = [
      given(
        { 'First Name': 'a', list: 'l' },
        section('{{["First Name"]}}'),
        section('{{this.list.length}}'),
        each('list', section('{{../list[0]}}')),
      ),
    ];
    expect(shown(blocks, { a: 'x', l: ['y'] })).toEqual(['x', '1', 'y']);
  });

  it.each([
    ['author', '{{user}}'],
    ['all of the data', '{{this}}'],
    ['the item of a loop around', '{{it.name}}'],
    ['a value of a loop around', '{{@index}}'],
    ['the item of a loop around by its place', '{{../name}}'],
  ])('refuses to read %s, which is not given', (_, text) => {
    const blocks = [each('list', given({ author: 'it' }, section(text)))];
    expect(problemsOf(blocks)).toMatchObject([
      { rule: 'path.scope', pointer: '/0/children/0/children/0/text/text' },
    ]);
  });

  it.each([
    [{ a: '' }, 'path.syntax', '/0/with/a'],
    [{ a: 5 }, 'with.value', '/0/with/a'],
    [{ a: { value: 1, path: 'b' } }, 'with.value', '/0/with/a'],
    [{ a: { value: '{{b}}' } }, 'with.value', '/0/with/a/value'],
    [{ a: '@index' }, 'path.scope', '/0/with/a'],
    [['a'], 'value.type', '/0/with'],
  ])('refuses names that stand for nothing: %j', (names, rule, pointer) => {
    expect(problemsOf([given(names, section('{{a}}'))])).toMatchObject([{ rule, pointer }]);
  });

  it('refuses to go into a value of a loop', () => {
    const blocks = [each('list', given({ n: '@key' }, section('{{n.x}}')))];
    expect(problemsOf(blocks)).toMatchObject([{ rule: 'path.scope' }]);
  });

  it('refuses a mark of a partial that is none', () => {
    expect(problemsOf([{ ...given({}, section('a')), partial: 'footer' }])).toMatchObject([
      { rule: 'value.type', pointer: '/0/partial' },
    ]);
  });

  it('names a missing value by its path in the data', () => {
    const { warnings } = compile([given({ author: 'user.name' }, section('by {{author}}'))], {});
    expect(warnings).toEqual([
      expect.stringMatching(/^\/0\/children\/0\/text\/text: `user\.name` is missing/),
    ]);
  });

  it('is seen through by the schema of the data', () => {
    const program = programOf([
      each(
        'orders',
        given(
          { who: 'it.user', note: 'it.note', team: { value: 'x' } },
          section('{{who.name}} {{team}}'),
          directive('#if', { condition: { path: 'note' }, children: [section('{{note.text}}')] }),
        ),
      ),
    ]);
    expect(requestFormat(program)).toEqual({ 'orders[].user.name': null, 'orders[].note.text': null });
    const { json_schema } = deriveInputs(program, {});
    expect(JSON.stringify(json_schema)).toContain('"required":["name"]');
    expect(JSON.stringify(json_schema)).not.toContain('team');
  });

  it('keeps what interactions read by their names', () => {
    const button = (more: object) => ({
      type: 'actions',
      elements: [
        {
          type: 'button',
          action_id: 'b',
          text: { type: 'plain_text', text: 'b' },
          interaction: [{ type: 'open_modal', modal_id: '0191a1b0-0000-7000-8000-000000000001', ...more }],
        },
      ],
    });
    const blocks = [
      each(
        'list',
        given(
          { a: 'it.x', b: { value: 'y' } },
          button({ data: { a: '{{a.z}}', b: '{{b}}', at: '{{interaction.user.id}}' } }),
        ),
      ),
    ];
    const { metadata } = compile(blocks, { list: [{ x: { z: 1 } }] });
    const { values } = JSON.parse(String(metadata?.event_payload.context));
    expect(values).toEqual({ 'a.z': 1, b: 'y' });
  });

  it('makes ids unique that a loop around it repeats', () => {
    const blocks = [each('list', given({ a: 'it' }, { ...section('{{a}}'), id: 's' }))];
    const { blocks: made } = compile(blocks, { list: ['x', 'y'] });
    expect(made.map((block) => block.block_id)).toEqual(['s_0', 's_1']);
  });
});

describe('#use', () => {
  it('is refused by what knows no partials', () => {
    expect(problemsOf([directive('#use', { partial: 'footer' })])).toMatchObject([
      { rule: 'partial.place', pointer: '/0' },
    ]);
  });
});
