import { describe, expect, it } from '@jest/globals';
import { replaceNumbers, unkeptOf } from './numbers.ts';

describe('a written number', () => {
  it.each([
    '0',
    '-0',
    '1.50',
    '9007199254740991',
    '9007199254740992',
    '1e21',
    '10E+3',
    '0.1',
    '0.12345678901234567891',
    '5e-324',
    '123456789012345680000',
    '12345678901234568.5',
    '-123456789012345682e-1',
  ])('is kept: %s', (written) => {
    expect(unkeptOf(written)).toBeUndefined();
  });

  it.each([
    '9007199254740993',
    '-9007199254740993',
    '9007199254740993.0',
    '90071992547409930e-1',
    '12345678901234567.5',
    '-12345678901234567.5',
    '123456789012345675e-1',
    '12345678901234567890',
    '1000000000000000000000',
  ])('loses digits: %s', (written) => {
    expect(unkeptOf(written)).toBe('digits_lost');
  });

  it.each(['1e400', '-1E+309', '1e-400', '-0.0001e-399', `${'9'.repeat(250)}e99`, '9'.repeat(400)])(
    'exceeds the range: %s',
    (written) => {
      expect(unkeptOf(written)).toBe('out_of_range');
    },
  );

  it('may be a fraction with zeros without end, which is rounded', () => {
    const zeros = '0'.repeat(100_000);
    expect(unkeptOf(`1${zeros}1${zeros}e-199980`)).toBeUndefined();
  });
});

describe('the numbers of a JSON text', () => {
  it('are those outside its strings', () => {
    const text = '{"1":[-2.5e3, "3 \\" 4"],"a\\\\":5}';
    expect(replaceNumbers(text, (written) => `<${written}>`)).toBe('{"1":[<-2.5e3>, "3 \\" 4"],"a\\\\":<5>}');
  });
});
