import { describe, expect, it } from '@jest/globals';
import { deriveInputs, type InputField, parseTemplate } from '@stanza/engine';
import {
  emptyLists,
  linesAsItems,
  linesIn,
  longData,
  newItem,
  newKey,
  renamedKey,
  withoutItems,
} from './data-values.ts';

const fieldsOf = (...texts: string[]): readonly InputField[] => {
  const parsed = parseTemplate(
    [
      ...texts.map((text) => ({ type: 'section', id: 'x', text: { type: 'mrkdwn', text } })),
      {
        type: 'directive',
        directive: '#each',
        path: 'order.lines',
        as: 'line',
        children: [{ type: 'section', id: 'y', text: { type: 'mrkdwn', text: '{{line.name}}' } }],
      },
    ],
    { surface: 'message' },
  );
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return deriveInputs(parsed.program, {}).fields;
};

describe('the data beside the preview', () => {
  const fields = fieldsOf('{{name}}', '{{order.total | number}}');

  it('with empty lists has one for every list that is read, whether it was there or not', () => {
    const given = { name: 'Ada', order: { total: 2, tags: [1] }, more: { list: [1] } };
    expect(emptyLists(fields, given)).toEqual({
      name: 'Ada',
      order: { total: 2, tags: [], lines: [] },
      more: { list: [] },
    });
    expect(emptyLists(fields, {})).toEqual({ order: { lines: [] } });
    expect(given.order.tags).toEqual([1]);
  });

  it('with the longest texts has a value of the right kind for each field', () => {
    expect(longData(fields)).toEqual({
      name: expect.stringMatching(/^.{3000,}$/),
      order: {
        total: expect.any(Number),
        lines: Array.from({ length: 3 }, () => ({ name: expect.stringMatching(/^.{3000,}$/) })),
      },
    });
  });

  it('treats an object that a loop goes over as a list of entries', () => {
    const loop = {
      type: 'directive',
      directive: '#each',
      path: 'labels',
      children: [{ type: 'header', id: 'z', text: { type: 'plain_text', text: '{{@key}} {{this}}' } }],
    };
    const parsed = parseTemplate([loop], { surface: 'message' });
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
    const labels = deriveInputs(parsed.program, {}).fields;
    expect(emptyLists(labels, { labels: { a: 'x' } })).toEqual({ labels: {} });
    expect(Object.keys(Object(longData(labels).labels))).toHaveLength(3);
    expect([newKey({}), newKey({ key: 1, 'key 2': 1 })]).toEqual(['key', 'key 3']);
    expect(Object.entries(renamedKey({ a: 1, b: 2 }, 'a', 'c'))).toEqual([
      ['c', 1],
      ['b', 2],
    ]);
    expect(renamedKey({ a: 1, b: 2 }, 'a', 'b')).toEqual({ a: 1, b: 2 });
  });

  it('begins a new item with what its kind begins with', () => {
    expect(withoutItems([1])).toEqual([]);
    expect(withoutItems('text')).toBe('text');
    expect(newItem(undefined)).toBe('');
    const order = fields.find(({ name }) => name === 'order');
    expect(newItem(order)).toEqual({});
  });
});

describe('lines that are pasted into a list', () => {
  it('stand behind the item of the list, and in the place of one that is replaced', () => {
    expect(linesAsItems(['a', 'b'], 0, linesIn('x\r\n\ny\n'), false)).toEqual(['a', 'x', 'y', 'b']);
    expect(linesAsItems(['a', ''], 1, ['x', 'y'], true)).toEqual(['a', 'x', 'y']);
  });

  it('stay in the field where a single line is pasted', () => {
    expect(linesAsItems(['a'], 0, linesIn('x\n'), false)).toBeUndefined();
  });
});
