import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { asFailure, StackFailure } from '../failure.ts';
import { operatorName, refusalFor } from './operator.ts';

describe('the error that an operator sees', () => {
  it('has the code and the text of a refusal, without a stack trace', () => {
    const refused = new CodedError('insufficient_credits', { message: 'Only 3 credits can be taken away.' });
    const told = asFailure(refusalFor(refused));
    expect(told).toBeInstanceOf(StackFailure);
    expect(told.message).toBe('insufficient_credits: Only 3 credits can be taken away.');
  });

  it('is any other error in full', () => {
    const error = new TypeError('x is not a function');
    expect(refusalFor(error)).toBe(error);
  });
});

describe('the name of an operator', () => {
  it('comes from STANZA_OPERATOR, as printable ASCII, at most 100 characters', () => {
    expect(operatorName(' ada ')).toBe('ada');
    expect(operatorName('zoë\r\nPrincipal: x')).toBe('zo???Principal: x');
    expect(operatorName('x'.repeat(300))).toHaveLength(100);
  });

  it('comes from the user of the process where no operator is named, without the machine', () => {
    for (const none of [undefined, '', '  ']) expect(operatorName(none)).toMatch(/^[^@]+$/);
  });
});
