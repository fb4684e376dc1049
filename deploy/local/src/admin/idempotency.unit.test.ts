import { describe, expect, it } from '@jest/globals';
import { parsedReply } from './idempotency.ts';

describe('the answer that an operator gives', () => {
  it('is read as it is typed', () => {
    expect(parsedReply('{"n":9007199254740991,"text":"12345678901234567890"}')).toEqual({
      n: 9_007_199_254_740_991,
      text: '12345678901234567890',
    });
  });

  it.each(['{"n":9007199254740993}', '{"n":[1e400]}'])(
    'is refused when a number would change: %s',
    (text) => {
      expect(() => parsedReply(text)).toThrow('whose digits are not kept');
    },
  );

  it('is refused when it is not JSON', () => {
    expect(() => parsedReply('{n:1}')).toThrow('--reply is not JSON.');
  });
});
