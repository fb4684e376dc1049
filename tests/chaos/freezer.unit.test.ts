import { describe, expect, it } from '@jest/globals';
import { Freezer } from './freezer.ts';

describe('a freezer', () => {
  it('lets a process go on when all of its freezes are over, and each process by itself', async () => {
    const done: string[] = [];
    const freezer = new Freezer({
      process: (name) => ({
        freeze: async () => {
          done.push(`freeze ${name}`);
        },
        thaw: () => done.push(`thaw ${name}`),
      }),
    });
    const endLong = await freezer.freeze('delivery');
    const endShort = await freezer.freeze('delivery');
    const endOther = await freezer.freeze('gateway');
    endShort();
    expect(done).toEqual(['freeze delivery', 'freeze delivery', 'freeze gateway']);
    endOther();
    endLong();
    expect(done.slice(3)).toEqual(['thaw gateway', 'thaw delivery']);
  });
});
