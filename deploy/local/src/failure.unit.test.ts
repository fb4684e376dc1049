import { describe, expect, it } from '@jest/globals';
import { asFailure, StackFailure } from './failure.ts';

describe('what a person is told', () => {
  it('is what a part of the stack says', () => {
    const failure = new StackFailure('It burns.', 'Leave the house.');
    expect(asFailure(failure)).toBe(failure);
  });

  it('is the trouble with a file and what may have caused it', () => {
    const error = Object.assign(new Error('EACCES: permission denied, open x'), { code: 'EACCES' });
    expect(asFailure(error).message).toBe('EACCES: permission denied, open x');
    expect(asFailure(error).advice).toContain('An earlier start ran as another user');
  });

  it('is the whole of an error that nobody foresaw', () => {
    expect(asFailure(new TypeError('x is no function')).message).toMatch(
      /^TypeError: x is no function\n +at/,
    );
  });
});
