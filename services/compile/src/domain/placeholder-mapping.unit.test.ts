import { describe, expect, it } from '@jest/globals';
import { appendModalVersion } from '@stanza/contracts';
import { mapData, readPath, writePath } from '@stanza/engine';
import { anyText } from '@stanza/test-kit/any-text';
import { cases } from '@stanza/test-kit/cases';
import fc from 'fast-check';

const data = { order: { id: 'A-1', items: [{ name: 'Tea' }] }, id: 'other' };

describe('a placeholder mapping', () => {
  it('adds the values at its paths under its names', () => {
    const mapping = { order_id: 'order.id', first: 'order.items[0].name' };
    expect(mapData(data, mapping)).toEqual({ ...data, order_id: 'A-1', first: 'Tea' });
  });

  it('overrides data of the same name, and reads the data only', () => {
    expect(mapData(data, { id: 'order.id', order: 'id' })).toEqual({ id: 'A-1', order: 'other' });
  });

  it('leaves the data unchanged where a path has no value', () => {
    const lost = { id: 'order.number', a: 'order.items[7].name', b: 'order.length', c: 'order..id' };
    expect(mapData(data, lost)).toEqual(data);
    expect(mapData(data, null)).toBe(data);
  });

  it('reads quoted keys and lengths, as placeholders do', () => {
    const odd = { labels: { 'app/name': 'api' }, rows: [1, 2] };
    const mapping = { name: "labels['app/name']", count: 'rows.length', whole: 'this["labels"]' };
    expect(mapData(odd, mapping)).toEqual({ ...odd, name: 'api', count: 2, whole: odd.labels });
  });

  it('reads and writes own properties only', () => {
    expect(mapData(data, { a: 'constructor.name', b: '__proto__' })).toEqual(data);
    const hostile: Record<string, string> = JSON.parse('{"__proto__": "order"}');
    expect(Object.getPrototypeOf(mapData(data, hostile))).toBe(Object.prototype);
  });
});

describe('the mapping of a modal version', () => {
  const { body } = appendModalVersion;
  if (body === undefined) throw new Error('a modal version is appended with a body');
  const { placeholder_mapping: mappingSchema } = body.shape;
  const isTaken = (path: string): boolean => mappingSchema.safeParse({ customer: path }).success;

  it.each([
    'order.items[0].name',
    'labels["app.kubernetes.io/name"]',
    "row['First Name']",
    '["First Name"]',
    'items.length',
    String.raw`a["it's \"quoted\""].b`,
    'this["labels"]',
  ])('takes the path %s', (path) => {
    expect(isTaken(path)).toBe(true);
  });

  it.each(['', 'a b', 'labels[app]', 'labels["app', 'a..b', '../x', '@key', 'a[]', '["a"]b'])(
    'refuses %j, which no placeholder reads outside a loop',
    (path) => {
      expect(isTaken(path)).toBe(false);
    },
  );

  it('takes every path of keys that the engine writes', () => {
    const key = fc.oneof(anyText({ maxLength: 20 }), fc.constantFrom('"', '\\', '\n', "'"));
    const steps = fc.tuple(key, fc.array(fc.oneof(key, fc.nat(99)), { maxLength: 3 }));
    fc.assert(
      fc.property(steps, ([first, rest]) => {
        const path = writePath([first, ...rest]);
        fc.pre(path.length <= 255);
        expect(readPath(path)?.steps).toEqual([first, ...rest]);
        expect(isTaken(path)).toBe(true);
      }),
      { numRuns: cases(500, 100) },
    );
  });
});
