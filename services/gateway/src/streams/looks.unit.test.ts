import { describe, expect, it } from '@jest/globals';
import { Looks, looksOfSecond } from './looks.ts';

/** In which parts of the second someone looks. */
const partsOf = async (looks: Looks, asked: string, isBehind = false): Promise<number[]> => {
  const looked: number[] = [];
  let part = 0;
  let hasLooked = false;
  const wait = () => void looks.next(asked, isBehind).then(() => (hasLooked = true));
  wait();
  for (; part < looksOfSecond; part += 1) {
    looks.pass();
    await Promise.resolve();
    await Promise.resolve();
    if (!hasLooked) continue;
    looked.push(part);
    hasLooked = false;
    wait();
  }
  return looked;
};

describe('looks at a log', () => {
  it('are one a second, and four while a stream is behind', async () => {
    const looks = new Looks();
    expect(await partsOf(looks, 'a')).toHaveLength(1);
    const [first = 0, ...rest] = await partsOf(looks, 'a', true);
    expect(rest).toEqual([first + 5, first + 10, first + 15]);
  });

  it('are together where the same is asked, and spread over the second otherwise', async () => {
    const looks = new Looks();
    expect(await partsOf(looks, 'a')).toEqual(await partsOf(looks, 'a'));
    const taken = new Set<number>();
    for (let each = 0; each < 200; each += 1) taken.add((await partsOf(looks, String(each)))[0] ?? -1);
    expect(taken.size).toBe(looksOfSecond);
  });
});
