import { describe, expect, it } from '@jest/globals';
import { NewDeliveries } from './new-deliveries.ts';

/** A destination with deliveries, a second apart, whose newest are listed first. */
const destination = (before: number) => {
  const all: { id: string; created_at: string }[] = [];
  const begin = (count: number): void => {
    for (const _ of Array.from({ length: count })) {
      const number = all.length;
      all.unshift({
        id: `d${number}`,
        created_at: new Date(1_800_000_000_000 + number * 1_000).toISOString(),
      });
    }
  };
  begin(before);
  const pageAt = async (offset: number) => all.slice(offset, offset + NewDeliveries.pageLimit);
  return { begin, pageAt };
};

const named = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `d${from + index}`);

describe('NewDeliveries', () => {
  it('names none of those that were there before', async () => {
    const { pageAt } = destination(250);
    expect(await (await NewDeliveries.from(pageAt)).poll()).toEqual([]);
  });

  it('names each new delivery once, oldest first', async () => {
    const { begin, pageAt } = destination(2);
    const deliveries = await NewDeliveries.from(pageAt);
    begin(3);
    expect(await deliveries.poll()).toEqual(named(2, 5));
    expect(await deliveries.poll()).toEqual([]);
  });

  it.each([0, 40, 250])(
    'tells of all of a burst that is longer than a page, after %d deliveries',
    async (before) => {
      const { begin, pageAt } = destination(before);
      const deliveries = await NewDeliveries.from(pageAt);
      begin(1);
      await deliveries.poll();
      begin(321);
      expect(await deliveries.poll()).toEqual(named(before + 1, before + 322));
    },
  );
});
