import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { noteEachMs, notingLong } from './long-work.ts';

describe('long work of a command', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('Long work notes how far it is, until it ends', async () => {
    const notes: string[] = [];
    let read = 0;
    const work = Promise.withResolvers<string>();
    const result = notingLong(
      (line) => notes.push(line),
      () => `${read} read`,
      () => work.promise,
    );
    for (read of [7, 9]) jest.advanceTimersByTime(noteEachMs);
    work.resolve('done');
    expect(await result).toBe('done');
    jest.advanceTimersByTime(noteEachMs);
    expect(notes).toEqual(['7 read', '9 read']);
  });

  it('Work that fails ends its notes', async () => {
    const notes: string[] = [];
    const fails = async () => {
      throw new Error('no answer');
    };
    await expect(
      notingLong(
        (line) => notes.push(line),
        () => '',
        fails,
      ),
    ).rejects.toThrow('no answer');
    jest.advanceTimersByTime(noteEachMs);
    expect(notes).toEqual([]);
  });
});
