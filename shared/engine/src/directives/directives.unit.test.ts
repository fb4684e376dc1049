import { describe, expect, it } from '@jest/globals';
import { compile, directive, problemsOf, section, textsOf } from '../testing/compile.ts';

const items = (count: number) => ({
  items: Array.from({ length: count }, (_, index) => ({ name: `n${index}` })),
});
const each = (more: object = {}) =>
  directive('#each', { path: 'items', as: 'item', children: [section('{{item.name}}')], ...more });

describe('#each', () => {
  it('emits its children for every item', () => {
    expect(textsOf(compile([each()], items(3)).blocks)).toEqual(['n0', 'n1', 'n2']);
  });

  it('stops at max_items and says how many remain', () => {
    const { blocks } = compile(
      [each({ max_items: 5, overflow_text: '…and {{remaining}} of {{@count}} more' })],
      items(60),
    );
    expect(blocks).toHaveLength(6);
    expect(blocks[5]).toEqual({
      type: 'context',
      elements: [{ type: 'mrkdwn', text: '…and 55 of 60 more' }],
    });
  });

  it('says nothing of a rest where there is none', () => {
    expect(compile([each({ max_items: 5, overflow_text: 'more' })], items(5)).blocks).toHaveLength(5);
  });

  it.each([
    ['entries beside the loop', { max_items: 48 }, 49, 'n46', '+2'],
    ['a note that takes the place of an item', { max_items: 49 }, 50, 'n46', '+3'],
    ['a list without max_items', {}, 200, 'n46', '+153'],
    ['several entries of an item', { children: [section('a'), section('{{item.name}}')] }, 30, 'n22', '+7'],
  ])('keeps within the limit of its list, with %s', (_, more, count, last, note) => {
    const loop = each({ overflow_text: '+{{remaining}}', ...more });
    const { blocks } = compile([section('above'), loop, section('below')], items(count));
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(blocks.at(-3)).toMatchObject({ text: { text: last } });
    expect(blocks.at(-2)).toMatchObject({ elements: [{ text: note }] });
  });

  it('shows all items that fill its list, without a note', () => {
    const loop = each({ overflow_text: '+{{remaining}}' });
    expect(textsOf(compile([section('above'), loop], items(49)).blocks).at(-1)).toBe('n48');
  });

  it.each([
    [40, 'n39'],
    [50, 'n49'],
    [60, '+11'],
  ])('gives the room of entries that come out empty to other items, of %i', (count, last) => {
    const children = [section('{{item.name}}'), section('{{item.hint}}')];
    const loop = each({ overflow_text: '+{{remaining}}', children });
    const { items: all } = items(count);
    const { blocks } = compile([loop], { items: all.map((it) => ({ ...it, hint: '' })) });
    expect(blocks).toHaveLength(Math.min(count, 50));
    expect(JSON.stringify(blocks.at(-1))).toContain(`"${last}"`);
  });

  it('keeps to max_items where entries that come out empty leave room for more', () => {
    const children = [section('{{item.name}} {{@last}}'), section('{{item.hint}}')];
    const loop = each({ overflow_text: '+{{remaining}}', max_items: 30, children });
    const { items: all } = items(60);
    const { blocks } = compile([loop], { items: all.map((it) => ({ ...it, hint: '' })) });
    expect(textsOf(blocks.slice(28, 30))).toEqual(['n28 false', 'n29 true']);
    expect(blocks.slice(30)).toMatchObject([{ elements: [{ text: '+30' }] }]);
  });

  it('has no problem with items that it does not show', () => {
    const field = { type: 'mrkdwn', text: '{{this}}' };
    const fields = [directive('#each', { path: 'item.fields', children: [field] })];
    const loop = each({
      overflow_text: '+',
      children: [section('{{item.name}}'), { type: 'section', fields }],
    });
    const { items: all } = items(60);
    const tooMany = Array.from({ length: 11 }, () => 'x');
    const data = { items: all.map((it, at) => ({ ...it, fields: at === 24 ? tooMany : ['x'] })) };
    expect(compile([loop], data).blocks).toHaveLength(49);
  });

  it('marks the last item that it shows as the last', () => {
    const blocks = [each({ max_items: 2, children: [section('{{@last}} of {{@count}}')] })];
    expect(textsOf(compile(blocks, items(4)).blocks)).toEqual(['false of 4', 'true of 4']);
  });

  it('emits `empty` for an empty list', () => {
    const { blocks, warnings } = compile([each({ empty: [section('none')] })], items(0));
    expect(textsOf(blocks)).toEqual(['none']);
    expect(warnings).toEqual([]);
  });

  it.each([[{}], [{ items: null }]])('emits nothing for a missing list and warns: %j', (data) => {
    const { blocks, warnings } = compile([each({ empty: [section('none')] })], data);
    expect(blocks).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^\/0\/path: `items` is missing/)]);
  });

  it.each(['text', 5, true])(
    'emits nothing for what is neither a list nor an object and warns: %j',
    (given) => {
      const { blocks, warnings } = compile([each()], { items: given });
      expect(blocks).toEqual([]);
      expect(warnings).toEqual([expect.stringMatching(/not a list or an object/)]);
    },
  );

  it('stands in any list: elements, fields, options, lines of rich text', () => {
    const text = { type: 'mrkdwn', text: '{{this.name}}' };
    const option = { text: { type: 'plain_text', text: '{{this.name}}' }, value: '{{this.name}}' };
    const loop = (child: unknown) => directive('#each', { path: 'items', children: [child] });
    const { blocks } = compile(
      [
        { type: 'section', fields: [loop(text)] },
        { type: 'context', elements: [{ type: 'mrkdwn', text: 'all:' }, loop(text)] },
        { type: 'actions', elements: [{ type: 'static_select', action_id: 's', options: [loop(option)] }] },
        {
          type: 'rich_text',
          elements: [
            { type: 'rich_text_section', elements: [loop({ type: 'text', text: '{{this.name}}' })] },
          ],
        },
      ],
      items(2),
    );
    expect(blocks).toMatchObject([
      { fields: [{ text: 'n0' }, { text: 'n1' }] },
      { elements: [{ text: 'all:' }, { text: 'n0' }, { text: 'n1' }] },
      { elements: [{ options: [{ value: 'n0' }, { value: 'n1' }] }] },
      { elements: [{ elements: [{ text: 'n0' }, { text: 'n1' }] }] },
    ]);
  });

  it('says in each list what the list can hold about the rest', () => {
    const loop = (child: unknown) =>
      directive('#each', { path: 'items', max_items: 1, overflow_text: '+{{remaining}}', children: [child] });
    const text = { type: 'mrkdwn', text: 'x' };
    const { blocks } = compile(
      [
        { type: 'section', fields: [loop(text)] },
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_list',
              style: 'bullet',
              elements: [loop({ type: 'rich_text_section', elements: [] })],
            },
          ],
        },
      ],
      items(3),
    );
    expect(blocks).toMatchObject([
      { fields: [text, { type: 'mrkdwn', text: '+2' }] },
      {
        elements: [
          { elements: [{}, { type: 'rich_text_section', elements: [{ type: 'text', text: '+2' }] }] },
        ],
      },
    ]);
  });

  it('refuses a note of the rest where no text can stand', () => {
    const option = { text: { type: 'plain_text', text: 'x' }, value: 'x' };
    const loop = directive('#each', {
      path: 'items',
      max_items: 1,
      overflow_text: 'more',
      children: [option],
    });
    const blocks = [{ type: 'actions', elements: [{ type: 'overflow', action_id: 'o', options: [loop] }] }];
    expect(problemsOf(blocks)).toMatchObject([
      { rule: 'directive.overflow_text', pointer: '/0/elements/0/options/0/overflow_text' },
    ]);
  });
});

describe('#if', () => {
  const branch = directive('#if', {
    condition: { path: 'on' },
    children: [section('yes')],
    else: [section('no')],
  });

  it('emits its children or what stands under `else`', () => {
    expect(textsOf(compile([branch], { on: true }).blocks)).toEqual(['yes']);
    expect(textsOf(compile([branch], {}).blocks)).toEqual(['no']);
  });

  it('emits nothing where `else` is left out', () => {
    const blocks = [directive('#if', { condition: { path: 'on' }, children: [section('yes')] })];
    expect(compile(blocks, {}).blocks).toEqual([]);
  });
});

describe('#block', () => {
  it('groups, and is not seen in the output', () => {
    const blocks = [directive('#block', { name: 'intro', children: [section('a'), section('b')] })];
    expect(compile(blocks).blocks).toEqual([section('a'), section('b')]);
  });
});

describe('directives', () => {
  const nested = (levels: number): unknown =>
    directive('#block', { children: levels === 1 ? [section('deep')] : [nested(levels - 1)] });

  it('nest eight levels deep and no deeper', () => {
    expect(textsOf(compile([nested(8)]).blocks)).toEqual(['deep']);
    expect(problemsOf([nested(9)])).toMatchObject([{ limit: 'engine.depth', max: 8, actual: 9 }]);
  });

  it.each([
    [{ type: 'directive' }, 'required'],
    [directive('#eahc', { path: 'a', children: [] }), 'directive.unknown'],
    [directive('constructor', {}), 'directive.unknown'],
    [directive('#each', { children: [] }), 'required'],
    [directive('#each', { path: 'a' }), 'required'],
    [directive('#each', { path: 'a', children: {} }), 'value.type'],
    [directive('#each', { path: 'a', children: [], as: 'this' }), 'path.syntax'],
    [directive('#each', { path: 'a', children: [], max_items: 0 }), 'value.type'],
    [directive('#each', { path: 'a', children: [], maxItems: 3 }), 'key.unknown'],
    [directive('#if', { children: [] }), 'required'],
    [directive('#block', { name: 5, children: [] }), 'value.type'],
  ])('are refused when wrong: %j', (wrong, rule) => {
    expect(problemsOf([wrong]).map((problem) => problem.rule)).toContain(rule);
  });

  it('report what is wrong in all their children', () => {
    const wrong = directive('#if', {
      condition: { path: 'a', operator: 'is' },
      children: [{ type: 'sektion' }],
      else: [section('{{x |}}')],
    });
    expect(problemsOf([wrong]).map(({ pointer }) => pointer)).toEqual([
      '/0/condition/operator',
      '/0/children/0/type',
      '/0/else/0/text/text',
    ]);
  });
});
