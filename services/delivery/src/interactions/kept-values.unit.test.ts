import { describe, expect, it } from '@jest/globals';
import { valueAt } from '@stanza/engine';
import { nestKept } from './kept-values.ts';

describe('what a message kept', () => {
  it('stands where it was read from', () => {
    expect(nestKept({ 'order.id': 'A-1', 'order.customer.name': 'Ada', total: 3 })).toEqual({
      order: { id: 'A-1', customer: { name: 'Ada' } },
      total: 3,
    });
  });

  it('has both a whole and a part of it', () => {
    expect(nestKept({ 'order.id': 'A-1', order: { id: 'A-1', note: 'x' } })).toEqual({
      order: { id: 'A-1', note: 'x' },
    });
  });

  it('A modal has a list or a text whole, whose length or item was read too', () => {
    const kept = { 'name.length': 3, name: 'Ada', items: ['a', 'b'], 'items.length': 2, 'items.0': 'a' };
    expect(nestKept(kept)).toEqual({ name: 'Ada', items: ['a', 'b'] });
  });

  it('stands under keys of any characters', () => {
    expect(nestKept({ 'labels["app.kubernetes.io/name"]': 'api', "['First Name']": 'Ada' })).toEqual({
      labels: { 'app.kubernetes.io/name': 'api' },
      'First Name': 'Ada',
    });
  });

  it('A modal has the items of a list where their paths read them', () => {
    const data = nestKept({ 'items[0].name': 'Cup', 'items[2].name': 'Jug', 'items.length': 3 });
    const paths = ['items[0].name', 'items.2.name', 'items[1].name', 'items.length'];
    expect(paths.map((path) => valueAt(data, path))).toEqual(['Cup', 'Jug', undefined, 3]);
  });

  it('leaves out what a loop gave, and names that are none', () => {
    const kept: Record<string, unknown> = JSON.parse('{"@index": 1, "../total": 2, "a.__proto__.b": 3}');
    expect(nestKept(kept)).toEqual({ a: {} });
    expect(Object.hasOwn({}, 'b')).toBe(false);
  });
});
