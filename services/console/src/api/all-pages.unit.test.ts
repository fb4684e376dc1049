import { describe, expect, it } from '@jest/globals';
import { allPages, maxRows } from './all-pages.ts';

/** A list of numbers that keeps the offsets it was read at. */
const listOf = (total: number) => {
  const rows = Array.from({ length: total }, (_, at) => at);
  const offsets: number[] = [];
  let reading = 0;
  const together: number[] = [];
  return {
    rows,
    offsets,
    together,
    read: async ({ limit, offset }: { limit: number; offset: number }) => {
      offsets.push(offset);
      together.push(++reading);
      await Promise.resolve();
      reading -= 1;
      return { data: rows.slice(offset, offset + limit), pagination: { total } };
    },
  };
};

describe('reading all pages of a list', () => {
  it.each([0, 1, 100, 101, 250, maxRows])('gives %d rows in their order', async (total) => {
    const list = listOf(total);
    expect(await allPages(list.read)).toEqual(list.rows);
  });

  it('Asks once for a list of one page, and fifty times at most', async () => {
    const [short, long] = [listOf(100), listOf(maxRows * 5)];
    await allPages(short.read);
    expect(short.offsets).toEqual([0]);
    expect(await allPages(long.read)).toHaveLength(maxRows);
    expect(long.offsets).toHaveLength(50);
    expect(Math.max(...long.together)).toBe(10);
  });
});
