import { describe, expect, it } from '@jest/globals';
import type { FieldType } from '@stanza/contracts';
import { type FieldShape, fitData, problemsOfData } from './fit-data.ts';

const field = (name: string, type: FieldType, more: Partial<FieldShape> = {}): FieldShape => ({
  id: name,
  parent_field_id: null,
  name,
  type,
  required: false,
  ...more,
});

describe('data checked against the fields of an entity', () => {
  it.each<[FieldType, unknown[], unknown[]]>([
    ['string', ['', 'a'], [1, true, [], {}]],
    ['number', [0, -1.5], ['1', true, [], {}]],
    ['boolean', [true, false], ['true', 0, [], {}]],
    [
      'date',
      [
        '2026-11-21',
        '2024-02-29',
        '2026-11-21T08:00:00Z',
        '2026-11-21T08:00:00.123+01:00',
        '2026-11-26 20:50:00+00',
        1_764_000_000,
        '1764000000000000',
      ],
      ['2026-02-30', 'tomorrow', '21.11.2026', '1764', true, {}],
    ],
    ['array', [[], [1, 'a']], ['', {}, 1]],
    ['object', [{}, { any: 1 }], [[], 'a', 1]],
  ])('matches or not: %s', (type, fitting, unfit) => {
    const problemsWith = (value: unknown) => problemsOfData([field('it', type)], { it: value });
    for (const value of [...fitting, null, undefined])
      expect([value, problemsWith(value)]).toEqual([value, []]);
    for (const value of unfit) {
      expect([value, problemsWith(value)]).toEqual([
        value,
        [expect.objectContaining({ pointer: '/data/it', rule: 'field.type' })],
      ]);
    }
  });

  it('does not match without required values, and null counts as missing', () => {
    const fields = [field('id', 'string', { required: true })];
    for (const data of [{}, { id: null }]) {
      expect(problemsOfData(fields, data)).toMatchObject([{ pointer: '/data/id', rule: 'field.required' }]);
    }
    // Inherited properties are not values of the data.
    expect(problemsOfData([field('toString', 'string', { required: true })], {})).toHaveLength(1);
  });

  it('may have keys without a field', () => {
    expect(problemsOfData([field('id', 'string')], { id: 'a', more: { deep: 1 } })).toEqual([]);
  });

  it('is checked on every level, and every problem is listed', () => {
    const fields = [
      field('order', 'object', { required: true }),
      field('id', 'string', { parent_field_id: 'order', required: true }),
      field('items', 'array', { parent_field_id: 'order' }),
      field('name', 'string', { parent_field_id: 'items', required: true }),
      field('a/b', 'number'),
    ];
    const data = { order: { items: [{ name: 'x' }, {}, 'y', { name: 1 }] }, 'a/b': 'no' };
    expect(problemsOfData(fields, data).map(({ pointer, rule }) => [pointer, rule])).toEqual([
      ['/data/order/id', 'field.required'],
      ['/data/order/items/1/name', 'field.required'],
      ['/data/order/items/2', 'field.type'],
      ['/data/order/items/3/name', 'field.type'],
      ['/data/a~1b', 'field.type'],
    ]);
    expect(problemsOfData(fields, {}).map((it) => it.pointer)).toEqual(['/data/order']);
  });

  it('is refused with up to a hundred problems, and the number of further ones', () => {
    const fields = [field('items', 'array'), field('n', 'number', { parent_field_id: 'items' })];
    const items = Array.from({ length: 150 }, () => ({ n: 'no' }));
    expect(() => fitData(fields, { items: [{ n: 1 }] })).not.toThrow();
    expect(() => fitData(fields, { items })).toThrow(
      expect.objectContaining({
        code: 'invalid_data',
        facts: expect.objectContaining({
          details: expect.stringMatching(
            /^\/data\/items\/0\/n: field\.type: .*\n(.*\n){99}\/data: problems\.more: 50 more/,
          ),
        }),
      }),
    );
  });
});
