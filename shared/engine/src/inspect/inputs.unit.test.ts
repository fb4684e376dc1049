import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { deriveInputs, type Inputs, parseTemplate, runProgram } from '../index.ts';
import { directive, header, section } from '../testing/compile.ts';

const programOf = (blocks: readonly unknown[]) => {
  const parsed = parseTemplate(blocks, { surface: 'message' });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.program;
};
const derive = (blocks: readonly unknown[], sample: unknown = {}, known = {}): Inputs =>
  deriveInputs(programOf(blocks), sample, known);
const accepts = ({ json_schema }: Inputs) => {
  const check = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    ownProperties: true,
  }).compile(json_schema);
  return (data: unknown): boolean => check(data);
};
const typesOf = ({ fields }: Inputs) => Object.fromEntries(fields.map((field) => [field.name, field.type]));
const whenOn = (condition: object, children: unknown[], more: object = {}) =>
  directive('#if', { condition, children, ...more });

describe('the fields of a template', () => {
  it('are nested by their paths, with names that people can read', () => {
    const { fields } = derive([section('{{order.customerName}} {{order.total_price | number:2}}')]);
    expect(fields).toEqual([
      {
        name: 'order',
        path: 'order',
        label: 'Order',
        type: 'object',
        required: true,
        fields: [
          {
            name: 'customerName',
            path: 'order.customerName',
            label: 'Customer Name',
            type: 'string',
            required: true,
          },
          {
            name: 'total_price',
            path: 'order.total_price',
            label: 'Total price',
            type: 'number',
            required: true,
          },
        ],
      },
    ]);
  });

  it('show the items that a loop needs', () => {
    const loop = directive('#each', { path: 'items', as: 'item', children: [section('{{item.name}}')] });
    expect(derive([loop]).fields).toMatchObject([
      {
        name: 'items',
        type: 'array',
        required: true,
        items: { path: 'items[]', type: 'object', fields: [{ path: 'items[].name', type: 'string' }] },
      },
    ]);
  });

  it('are required where they are read outside any condition and without a default', () => {
    const { fields } = derive([
      section('{{a}} {{b | default:"x"}}'),
      whenOn({ path: 'c' }, [section('{{d}}')]),
    ]);
    expect(fields.map(({ name, required }) => [name, required])).toEqual([
      ['a', true],
      ['b', false],
      ['c', false],
      ['d', false],
    ]);
  });

  it('take their types and examples from the sample data', () => {
    const sample = { a: 1, b: true, c: '2026-11-21', d: 'x', e: ['x'], f: { g: 1 }, h: null };
    const inputs = derive([section('{{a}} {{b}} {{c}} {{d}} {{e | join:","}} {{f.g}} {{h}}')], sample);
    expect(typesOf(inputs)).toEqual({
      a: 'number',
      b: 'boolean',
      c: 'date',
      d: 'string',
      e: 'array',
      f: 'object',
      h: 'string',
    });
    expect(inputs.fields.find((field) => field.name === 'c')).toMatchObject({ example: '2026-11-21' });
    expect(inputs.warnings).toEqual([]);
  });

  it('take types, labels and descriptions from the entity before any sample', () => {
    const known = { price: { type: 'number' as const, label: 'Price in EUR', description: 'net' } };
    expect(derive([section('{{price}}')], { price: '12' }, known).fields).toMatchObject([
      { type: 'number', label: 'Price in EUR', description: 'net', example: '12' },
    ]);
  });

  it.each([
    ['a loop over a text', [directive('#each', { path: 'x', children: [section('{{this.a}}')] })], 'list'],
    ['a field of a text', [section('{{x.a}}')], 'object'],
  ])('fall back to text with a warning where the sample disagrees: %s', (_, blocks, read) => {
    const inputs = derive(blocks, { x: 'text' });
    expect(typesOf(inputs)).toEqual({ x: 'string' });
    expect(inputs.warnings).toEqual([expect.stringContaining(read)]);
  });
});

describe('the fields of an object that a loop goes over', () => {
  const labels = (text: string, more: object = {}) =>
    directive('#each', { path: 'labels', as: 'label', children: [section(text)], ...more });
  const sample = { labels: { team: 'web', 'app/name': 'api' } };

  it('are its values: where the loop reads keys, and where the sample data has an object', () => {
    const expected = [
      {
        name: 'labels',
        path: 'labels',
        label: 'Labels',
        type: 'object',
        required: true,
        items: { name: 'value', path: 'labels[]', label: 'Value', type: 'string', required: true },
      },
    ];
    expect(derive([labels('{{@key}}: {{label}}')]).fields).toEqual(expected);
    expect(derive([labels('{{label}}')], sample)).toMatchObject({
      fields: [{ type: 'object', items: { type: 'string', example: 'web' } }],
      warnings: [],
    });
    expect(typesOf(derive([labels('{{@key}}: {{label}}')], { labels: [] }))).toEqual({ labels: 'array' });
  });

  it('are demanded of every value by the schema', () => {
    const valid = accepts(derive([labels('{{@key}}: {{label.name}}')]));
    expect(valid({ labels: { a: { name: 'x' }, b: { name: 1 } } })).toBe(true);
    expect(valid({ labels: {} })).toBe(true);
    expect(valid({ labels: { a: { name: 'x' }, b: {} } })).toBe(false);
    expect(valid({ labels: { a: null } })).toBe(false);
    expect(valid({ labels: [] })).toBe(false);
    expect(accepts(derive([labels('{{@key}}')]))({ labels: { a: null, b: [1], c: {} } })).toBe(true);
  });

  it('stand beside those that are read by their keys, which the loop visits as well', () => {
    const inputs = derive([
      section('{{labels.team | upper}} {{labels.env | default: "x"}}'),
      labels('{{label}}'),
    ]);
    expect(inputs).toMatchObject({
      fields: [{ type: 'object', fields: [{ name: 'team' }, { name: 'env' }], items: { type: 'string' } }],
      warnings: [],
    });
    const valid = accepts(inputs);
    expect(valid({ labels: { team: 'web', more: 1 } })).toBe(true);
    expect(valid({ labels: { more: 'x' } })).toBe(false);
    expect(valid({ labels: { team: 'web', env: null } })).toBe(false);
    expect(valid({ labels: { team: 'web', more: {} } })).toBe(false);
  });

  it('are demanded under the conditions of the template alone', () => {
    const late = whenOn({ path: 'label.late' }, [section('{{label.why}}')]);
    const loop = directive('#each', { path: 'labels', as: 'label', children: [section('{{@key}}'), late] });
    const valid = accepts(derive([loop]));
    expect(valid({ labels: { a: {}, b: { late: true, why: 'rain' } } })).toBe(true);
    expect(valid({ labels: { a: { late: true } } })).toBe(false);
  });

  it('may be those of the whole data', () => {
    const valid = accepts(derive([directive('#each', { path: 'this', children: [section('{{this.n}}')] })]));
    expect([valid({ a: { n: 1 }, b: { n: 2 } }), valid({ a: { n: 1 }, b: {} })]).toEqual([true, false]);
  });
});

describe('the length of what a template reads', () => {
  it('makes it a list or a text, and no object', () => {
    const inputs = derive([section('{{items.length}} {{name}} {{name.length}}')]);
    expect(typesOf(inputs)).toEqual({ items: 'array', name: 'string' });
    const valid = accepts(inputs);
    expect(valid({ items: [], name: 'x' })).toBe(true);
    expect(valid({ items: 'abc', name: 'x' })).toBe(true);
    for (const items of [5, {}, null]) expect(valid({ items, name: 'x' })).toBe(false);
  });

  it.each([
    [{ x: ['a'] }, 'array'],
    [{ x: 'abc' }, 'string'],
    [{ x: { length: 5 } }, 'object'],
  ])('follows the sample data without a warning: %j', (sample, type) => {
    const inputs = derive([section('{{x.length}}')], sample);
    expect([typesOf(inputs), inputs.warnings]).toEqual([{ x: type }, []]);
    expect(accepts(inputs)(sample)).toBe(true);
    expect(accepts(inputs)({ x: {} })).toBe(false);
  });

  it.each<[object, number[], number[]]>([
    [{ operator: 'gt', value: 2 }, [3, 4], [0, 2]],
    [{ operator: 'gte', value: '1.5' }, [2], [1]],
    [{ operator: 'lt', value: 2 }, [0, 1], [2]],
    [{ operator: 'lte', value: 2 }, [2], [3]],
    [{ operator: 'eq', value: 1 }, [1], [0, 2]],
    [{ operator: 'ne', value: 1 }, [0, 2], [1]],
    [{ operator: 'in', value: [0, 2] }, [0, 2], [1]],
    [{ operator: 'not_in', value: [0, 2] }, [1], [0, 2]],
    [{}, [1], [0]],
    [{ operator: 'falsy' }, [0], [1]],
  ])('decides what a condition on it demands: %j', (test, holds, fails) => {
    const valid = accepts(derive([whenOn({ path: 'l.length', ...test }, [section('{{why}}')])]));
    const sized = (size: number) => [Array(size).fill(1), 'x'.repeat(size)];
    const accepted = (sizes: number[]) => sizes.flatMap(sized).map((l) => valid({ l }));
    expect(new Set(accepted(holds))).toEqual(new Set([false]));
    expect(new Set(accepted(fails))).toEqual(new Set([true]));
  });

  it('lets a template read an item where a list has so many', () => {
    const valid = accepts(
      derive([whenOn({ path: 'l.length', operator: 'gt', value: 1 }, [section('{{l[1]}}')])]),
    );
    expect([valid({ l: [] }), valid({ l: [1] }), valid({ l: [1, 2] })]).toEqual([true, true, true]);
  });
});

describe('blocks whose data is not known yet', () => {
  const loop = directive('#each', { path: 'x', children: [section('{{this.a}}')] });

  it.each([
    ['a list', [loop], 'text', 'array'],
    ['an object', [section('{{x.a}}')], [1], 'object'],
    ['any', [section('{{x | upper}}')], 5, 'number'],
  ])(
    'have types by how they read, where the sample data of another version disagrees: %s',
    (_, blocks, x, type) => {
      const preferred = deriveInputs(programOf(blocks), { x }, {}, { prefer: 'reads' });
      expect(typesOf(preferred)).toEqual({ x: type });
      const known = { x: { type: 'string' as const } };
      expect(typesOf(deriveInputs(programOf([loop]), {}, known, { prefer: 'reads' }))).toEqual({
        x: 'array',
      });
    },
  );
});

describe('the schema of the data', () => {
  it('asks for what is read, and takes more', () => {
    const valid = accepts(derive([header('{{a}} {{b | default:"x"}}')]));
    expect(valid({ a: 'x' })).toBe(true);
    expect(valid({ a: 1, b: null, more: {} })).toBe(true);
    expect(valid({})).toBe(false);
    expect(valid({ a: null })).toBe(false);
    expect(valid({ a: {} })).toBe(false);
  });

  it('asks for what is read inside a condition where it holds, and not elsewhere', () => {
    const blocks = [
      whenOn({ path: 'state', operator: 'eq', value: 'done' }, [section('{{by.name}}')], {
        else: [section('{{eta}}')],
      }),
    ];
    const valid = accepts(derive(blocks));
    expect(valid({ state: 'done', by: { name: 'Ada' } })).toBe(true);
    expect(valid({ state: 'done', eta: 'soon' })).toBe(false);
    expect(valid({ state: 'open', eta: 'soon' })).toBe(true);
    expect(valid({ state: 'open' })).toBe(false);
    expect(valid({ eta: 'soon' })).toBe(true);
  });

  it('looks at each item of a loop for the conditions in it, and at the data for those around it', () => {
    const inner = whenOn({ path: 'item.late', operator: 'truthy' }, [section('{{item.reason}}')]);
    const loop = directive('#each', { path: 'items', as: 'item', children: [section('x'), inner] });
    const valid = accepts(derive([whenOn({ path: 'show', operator: 'exists' }, [loop])]));
    expect(valid({})).toBe(true);
    expect(valid({ show: 1 })).toBe(false);
    expect(valid({ show: 1, items: [{}, { late: true, reason: 'rain' }] })).toBe(true);
    expect(valid({ show: 1, items: [{ late: true }] })).toBe(false);
    expect(valid({ items: [{ late: true }] })).toBe(true);
  });

  it('asks whatever the condition where it cannot say what the condition says', () => {
    const valid = accepts(
      derive([whenOn({ path: 'a', operator: 'eq', value: { path: 'b' } }, [section('{{c}}')])]),
    );
    expect(valid({ a: 1, b: 2 })).toBe(false);
    expect(valid({ c: 'x' })).toBe(true);
  });

  it('asks for as many items as are named by number, or taken by first and last', () => {
    const valid = accepts(derive([section('{{a[1].b}} {{c | first}}')]));
    expect(valid({ a: [{ b: 1 }, { b: 2 }], c: ['x'] })).toBe(true);
    expect(valid({ a: [{ b: 1 }], c: ['x'] })).toBe(false);
    expect(valid({ a: [{ b: 1 }, { b: 2 }], c: [] })).toBe(false);
  });

  it('asks for no items where a condition keeps the template from reading them', () => {
    const voted = whenOn({ path: 'option.voters', operator: 'not_empty' }, [
      section('{{option.voters | last}} {{option.voters[0]}}'),
    ]);
    const valid = accepts(derive([directive('#each', { path: 'options', as: 'option', children: [voted] })]));
    expect(valid({ options: [{ voters: [] }, {}, { voters: ['Ada'] }] })).toBe(true);
    expect(valid({ options: [{ voters: [null] }] })).toBe(false);
    const late = accepts(derive([whenOn({ path: 'late' }, [section('{{reasons | first}}')])]));
    expect([late({ reasons: [] }), late({ late: true, reasons: [] })]).toEqual([true, false]);
  });

  it('is as the run sees it: valid data leaves no value missing', () => {
    const blocks = [
      section('{{a.b}}'),
      directive('#each', { path: 'rows', as: 'row', children: [section('{{row.x}} {{../a.b}}')] }),
    ];
    const program = programOf(blocks);
    const valid = accepts(deriveInputs(program, {}));
    const data = { a: { b: 'x' }, rows: [{ x: 1, a: { b: 2 } }] };
    expect(valid(data)).toBe(true);
    const result = runProgram(program, data, { now: new Date(0) });
    expect(result.ok && result.warnings).toEqual([]);
  });

  it.each(['__proto__', 'constructor', 'toString', 'then'])('names a key like any other: %s', (key) => {
    const valid = accepts(derive([section(`{{${key}}}`)]));
    expect(valid(JSON.parse(`{"${key}": "x"}`))).toBe(true);
    expect(valid({})).toBe(false);
  });
});

describe('the schema of a template with very many conditions', () => {
  const names = Array.from({ length: 600 }, (_, index) => `{{v${index}}}`).join('');
  const all = Array.from({ length: 400 }, (_, index) => ({ path: `c${index}` }));

  it('leaves out requirements that would fill it again and again, and says so', () => {
    const inputs = derive([whenOn({ all }, [section(names)])]);
    expect(inputs.json_schema.allOf).toHaveLength(12);
    expect(inputs.warnings).toEqual([expect.stringContaining('588 values')]);
    expect(accepts(inputs)({})).toBe(true);
  });

  it('has them all where they are few', () => {
    const inputs = derive([whenOn({ path: 'c' }, [section(names)])]);
    expect(inputs.json_schema.allOf).toHaveLength(600);
    expect(inputs.warnings).toEqual([]);
  });
});

describe('a very long list of the sample data', () => {
  it('tells its types by its first thousand items', () => {
    const rows = [...Array(1_000).fill({ a: 1 }), { a: 'x' }];
    const { fields } = derive([directive('#each', { path: 'rows', children: [section('{{this.a}}')] })], {
      rows,
    });
    expect(fields[0]?.items?.fields?.[0]).toMatchObject({ name: 'a', type: 'number' });
  });
});
