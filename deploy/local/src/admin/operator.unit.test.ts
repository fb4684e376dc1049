import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { asFailure, StackFailure } from '../failure.ts';
import { refusalFor } from './operator.ts';

describe('what an operator is told', () => {
  it('of a refusal is its code and its text, and no trace through the code', () => {
    const refused = new CodedError('insufficient_credits', { message: 'Only 3 credits can be taken away.' });
    const told = asFailure(refusalFor(refused));
    expect(told).toBeInstanceOf(StackFailure);
    expect(told.message).toBe('insufficient_credits: Only 3 credits can be taken away.');
  });

  it('of anything else is all that is known of it', () => {
    const error = new TypeError('x is no function');
    expect(refusalFor(error)).toBe(error);
  });
});
