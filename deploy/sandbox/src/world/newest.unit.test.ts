import { describe, expect, it } from '@jest/globals';
import { Newest } from './newest.ts';

describe('Newest', () => {
  it('walks its entries from the newest to the oldest', () => {
    const list = new Newest<string>({ count: 10 });
    list.add('first');
    list.add('second');
    expect([...list.newestFirst()]).toEqual(['second', 'first']);
  });

  it('drops the oldest entries beyond its count', () => {
    const list = new Newest<number>({ count: 3 });
    for (let entry = 1; entry <= 5_000; entry += 1) list.add(entry);
    expect(list.size).toBe(3);
    expect([...list.newestFirst()]).toEqual([5_000, 4_999, 4_998]);
  });

  it('drops the oldest entries beyond its weight, but always keeps the newest', () => {
    const list = new Newest<string>({ count: 10, weight: 5, weigh: (entry) => entry.length });
    list.add('abc');
    list.add('de');
    list.add('f');
    expect([...list.newestFirst()]).toEqual(['f', 'de']);
    list.add('much too heavy');
    expect([...list.newestFirst()]).toEqual(['much too heavy']);
  });

  it('is empty again after clearing, and starts to weigh anew', () => {
    const list = new Newest<string>({ count: 10, weight: 4, weigh: (entry) => entry.length });
    list.add('abcd');
    list.clear();
    expect(list.size).toBe(0);
    list.add('ab');
    list.add('cd');
    expect(list.size).toBe(2);
  });
});
