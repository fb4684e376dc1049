import { describe, expect, it } from '@jest/globals';
import { compile, directive, problemsOf, section, textsOf } from '../testing/compile.ts';

describe('#each over an object', () => {
  const labels = { team: 'web', 'app.kubernetes.io/name': 'api', 10: 'ten', 2: 'two', env: null };
  const entries = (text: string, more: object = {}) =>
    directive('#each', { path: 'labels', as: 'label', children: [section(text)], ...more });
  const shown = (text: string, given: object = labels, more: object = {}) =>
    textsOf(compile([entries(text, more)], { labels: given }).blocks);

  it('takes the values in the order of the keys: whole numbers by size, then the others as the data has them', () => {
    expect(shown('{{@key}}={{this | default:"–"}}')).toEqual([
      '2=two',
      '10=ten',
      'team=web',
      'app.kubernetes.io/name=api',
      'env=–',
    ]);
  });

  it('binds the value to a name, and knows its place as in a list', () => {
    const given = { a: { n: 1 }, b: { n: 2 } };
    const text = '{{label.n}} {{this.n}} {{@index}} {{@number}} {{@first}} {{@last}} {{@count}}';
    expect(shown(text, given)).toEqual(['1 1 0 1 true false 2', '2 2 1 2 false true 2']);
  });

  it('stops at max_items and says how many remain', () => {
    const { blocks } = compile(
      [entries('{{@key}}', { max_items: 2, overflow_text: '+{{remaining}} of {{@count}}' })],
      {
        labels,
      },
    );
    expect(textsOf(blocks).slice(0, 2)).toEqual(['2', '10']);
    expect(blocks[2]).toMatchObject({ elements: [{ text: '+3 of 5' }] });
  });

  it('emits `empty` for an object without keys', () => {
    expect(shown('x', {}, { empty: [section('none')] })).toEqual(['none']);
  });

  it('reads the keys of enclosing loops, and in conditions', () => {
    const inner = directive('#each', { path: 'this', children: [section('{{../@key}}.{{@key}}')] });
    const only = directive('#if', {
      condition: { path: '@key', operator: 'starts_with', value: 'b' },
      children: [inner],
    });
    const blocks = [directive('#each', { path: 'all', children: [only] })];
    expect(textsOf(compile(blocks, { all: { a: { x: 1 }, b: { y: 1, z: 2 } } }).blocks)).toEqual([
      'b.y',
      'b.z',
    ]);
  });

  it('has own keys alone', () => {
    const keys = shown('{{@key}}', JSON.parse('{"__proto__": "a", "constructor": "b"}'));
    expect(keys.map((key) => String(key).replaceAll('\u200B', ''))).toEqual(['__proto__', 'constructor']);
  });

  it('names a missing value by the number of its entry, never by its key, which is data', () => {
    const { warnings } = compile([entries('{{label.name}} x')], { labels: { 'ada@example.com': {} } });
    expect(warnings).toEqual([expect.stringContaining('`labels[0].name` is missing')]);
  });

  it('gives a list the numbers of its items as keys', () => {
    expect(shown('{{@key}} {{this}}', ['a', 'b'])).toEqual(['0 a', '1 b']);
  });

  it('fills tables, charts, carousels and options, as a list does', () => {
    const source = { source: 'by_team', max_items: 5 };
    const blocks = [
      {
        type: 'table',
        source: 'by_team',
        columns: [
          { header: 'Team', value: '{{@key}}' },
          { header: 'Open', value: '{{this.open}}' },
        ],
      },
      { type: 'chart', title: 'Open', chart: 'bar', ...source, label: '{{@key}}', value: '{{this.open}}' },
      {
        type: 'carousel',
        ...source,
        item: { type: 'card', title: { type: 'plain_text', text: '{{@key}}' } },
      },
      {
        type: 'actions',
        elements: [
          {
            type: 'static_select',
            action_id: 's',
            options: {
              ...source,
              item: { text: { type: 'plain_text', text: '{{@key}}' }, value: '{{@key}}' },
            },
          },
        ],
      },
    ];
    const { blocks: made, warnings } = compile(blocks, { by_team: { web: { open: 3 }, ops: { open: 5 } } });
    expect(warnings).toEqual([]);
    expect(JSON.stringify(made[0])).toMatch(/web.*3.*ops.*5/);
    expect(made[1]).toMatchObject({ chart: { axis_config: { categories: ['web', 'ops'] } } });
    expect(made[2]).toMatchObject({ elements: [{ title: { text: 'web' } }, { title: { text: 'ops' } }] });
    expect(made[3]).toMatchObject({ elements: [{ options: [{ value: 'web' }, { value: 'ops' }] }] });
  });

  it('is outside loops no path', () => {
    expect(problemsOf([section('{{@key}}')])).toMatchObject([{ rule: 'path.scope' }]);
  });
});
