import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { questioner } from './terminal.ts';

const asked = (signal: AbortSignal) => {
  const input = new PassThrough();
  const answer = questioner(input, new PassThrough(), () => signal)('Go on? [y/N] ');
  return { input, answer };
};
const never = new AbortController().signal;

describe('a question on a terminal', () => {
  it('has the line that is typed as its answer', async () => {
    const { input, answer } = asked(never);
    input.write('y\n');
    expect(await answer).toBe('y');
  });

  it('has an empty answer where the input ends', async () => {
    const { input, answer } = asked(never);
    input.end();
    expect(await answer).toBe('');
  });

  it('ends with the signal', async () => {
    const interrupt = new AbortController();
    const { answer } = asked(interrupt.signal);
    interrupt.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
  });
});
