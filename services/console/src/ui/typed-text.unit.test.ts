import { describe, expect, it } from '@jest/globals';
import { numberIn } from './typed-text.ts';

describe('a number that a person types', () => {
  it.each([
    ['', undefined],
    ['12', 12],
    ['-0.5', -0.5],
    [' 1.', 1],
    ['.5', 0.5],
    ['1e3', 1000],
    ['-', '-'],
    ['1,5', '1,5'],
    ['0x10', '0x10'],
    ['Infinity', 'Infinity'],
    ['9007199254740993', '9007199254740993'],
  ])('is read from the text %j', (text, value) => {
    expect(numberIn(text)).toBe(value);
  });
});
