import { describe, expect, it } from '@jest/globals';
import { directive, section } from '../testing/compile.ts';
import { accepts, derive, typesOf, whenOn } from '../testing/derived.ts';

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

  it('demand of a value that is read by its key what the loop reads of it', () => {
    const loop = directive('#each', { path: 'hosts', as: 'host', children: [section('{{host.why}}')] });
    const valid = accepts(derive([section('{{hosts.main.load}}'), loop]));
    expect(valid({ hosts: { main: { load: 1, why: 'x' } } })).toBe(true);
    expect(valid({ hosts: { main: { load: 1 } } })).toBe(false);
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

  it('is demanded under a condition alone where it is read under one', () => {
    const valid = accepts(derive([whenOn({ path: 'on' }, [section('{{l.length}}')])]));
    expect([valid({}), valid({ on: true }), valid({ on: true, l: [1] })]).toEqual([true, false, true]);
  });

  it('lets a template read an item where a list has so many', () => {
    const valid = accepts(
      derive([whenOn({ path: 'l.length', operator: 'gt', value: 1 }, [section('{{l[1]}}')])]),
    );
    expect([valid({ l: [] }), valid({ l: [1] }), valid({ l: [1, 2] })]).toEqual([true, true, true]);
  });
});
