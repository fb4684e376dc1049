import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { byTurn } from './log-output.ts';

const open = () => {
  const writes: string[] = [];
  return { writes, output: byTurn({ write: (text) => void writes.push(text) }) };
};

describe('the lines of a log', () => {
  it('are written together at the end of their turn, in order', async () => {
    const { writes, output } = open();
    output.write('one\n');
    output.write('two\n');
    expect(writes).toEqual([]);
    await nextTurn();
    output.write('three\n');
    await nextTurn();
    expect(writes).toEqual(['one\ntwo\n', 'three\n']);
  });

  it('are written at once when the process ends, and only once', async () => {
    const { writes, output } = open();
    output.write('last words\n');
    output.flushSync();
    output.flushSync();
    await nextTurn();
    expect(writes).toEqual(['last words\n']);
  });
});
