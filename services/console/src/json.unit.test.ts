import { describe, expect, it } from '@jest/globals';
import { readJson } from './json.ts';

describe('JSON that a person types or pastes', () => {
  it('JSON whose numbers keep their digits is read', () => {
    expect(readJson('{"id": "9007199254740993", "n": 1.50, "big": 1e21}')).toEqual({
      value: { id: '9007199254740993', n: 1.5, big: 1e21 },
    });
  });

  it.each(['9007199254740993', '-12345678901234567.5', '1e400'])(
    'is a problem with the number %s, which would become another one',
    (number) => {
      expect(readJson(`{"id": ${number}}`)).toEqual({
        problem: `${number} would not keep its digits as a number: put it in double quotes.`,
      });
    },
  );

  it('JSON that is nested deeper than pages can show is a problem', () => {
    expect(readJson(`${'['.repeat(100)}1${']'.repeat(100)}`)).toHaveProperty('value');
    expect(readJson(`${'['.repeat(3_000)}${']'.repeat(3_000)}`)).toEqual({
      problem: 'This is nested deeper than 100 levels',
    });
  });
});
