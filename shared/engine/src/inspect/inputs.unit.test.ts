import { describe, expect, it } from '@jest/globals';
import { deriveInputs, runProgram } from '../index.ts';
import { directive, header, section } from '../testing/compile.ts';
import { accepts, derive, programOf, typesOf, whenOn } from '../testing/derived.ts';

const id = '01938c2e-7b1a-7c3d-9e4f-5a6b7c8d9e0f';
const button = (more: object) => ({
  type: 'actions',
  elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' }, ...more }],
});

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

  it('Inputs are of each type that what reads them takes', () => {
    const inputs = derive([
      section('{{payload | json}} {{who | mention}} {{both | json}} {{both}}'),
      whenOn({ path: 'role', operator: 'in', value: { path: 'roles' } }, [section('x')]),
      button({ interaction: [{ type: 'open_modal', modal_id: id, data: { order: '{{order}}' } }] }),
    ]);
    expect(typesOf(inputs)).toMatchObject({ roles: 'array' });
    const valid = { payload: 1, who: 'U1', both: 'x', order: 'A-1' };
    const isValid = accepts(inputs);
    const wider = [{ payload: { a: [] } }, { who: ['U1', 'U2'] }, { roles: ['admin'] }, { order: { id: 1 } }];
    for (const more of [{}, ...wider]) expect([more, isValid({ ...valid, ...more })]).toEqual([more, true]);
    const wrong = [{ who: [{}] }, { who: {} }, { both: {} }, { roles: 'admin' }];
    for (const more of wrong) expect([more, isValid({ ...valid, ...more })]).toEqual([more, false]);
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
    // One stands for the twelve, which are alike: a validator takes long to compile them all.
    const one = { ...inputs.json_schema, allOf: [inputs.json_schema.allOf].flat().slice(0, 1) };
    expect(accepts({ ...inputs, json_schema: one })({})).toBe(true);
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
