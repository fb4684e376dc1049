import { describe, expect, it } from '@jest/globals';
import { asFailure, StackFailure } from './failure.ts';

describe('a failure for people', () => {
  it('is the failure of a part of the stack', () => {
    const failure = new StackFailure('It burns.', 'Leave the house.');
    expect(asFailure(failure)).toBe(failure);
  });

  it('names the file and a likely cause', () => {
    const error = Object.assign(new Error('EACCES: permission denied, open x'), { code: 'EACCES' });
    expect(asFailure(error).message).toBe('EACCES: permission denied, open x');
    expect(asFailure(error).advice).toContain('An earlier start ran as another user');
  });

  it('is the whole of an unexpected error', () => {
    expect(asFailure(new TypeError('x is not a function')).message).toMatch(
      /^TypeError: x is not a function\n +at/,
    );
  });
});
