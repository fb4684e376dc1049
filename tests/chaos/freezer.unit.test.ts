import { describe, expect, it } from '@jest/globals';
import { Freezer } from './freezer.ts';

describe('a freezer', () => {
  it('lets a process go on when all of its freezes are over, and each process by itself', () => {
    const sent: string[] = [];
    const freezer = new Freezer({ kill: (name, signal) => sent.push(`${signal} ${name}`) });
    const endLong = freezer.freeze('delivery');
    const endShort = freezer.freeze('delivery');
    const endOther = freezer.freeze('gateway');
    endShort();
    expect(sent).toEqual(['SIGSTOP delivery', 'SIGSTOP delivery', 'SIGSTOP gateway']);
    endOther();
    endLong();
    expect(sent.slice(3)).toEqual(['SIGCONT gateway', 'SIGCONT delivery']);
  });
});
