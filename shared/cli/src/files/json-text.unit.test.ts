import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseJson } from './json-text.ts';

describe('a text of JSON', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        expect(parseJson(text, 'it.json')).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is refused wherever JSON.parse refuses it', () => {
    const signs = fc.string({ unit: fc.constantFrom(...'{}[]",:01-.eE \\utrfalsn\n\u0001'), maxLength: 12 });
    fc.assert(
      fc.property(signs, (text) => {
        const isJson = (parse: (given: string) => unknown): boolean => {
          try {
            parse(text);
            return true;
          } catch {
            return false;
          }
        };
        const isTwice = (() => {
          try {
            parseJson(text, 'it.json');
            return false;
          } catch (error) {
            return /stands twice|keep its digits/.test(String(error));
          }
        })();
        expect(isJson((given) => parseJson(given, 'it.json')) || isTwice).toBe(isJson(JSON.parse));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['{\n  "a": 1,\n  "b": 2,\n  "a": 3\n}', 'it.json:4:3: this is not JSON: the key "a" stands twice.'],
    ['{\n  "a": 1\n  "b": 2\n}', 'it.json:3:3: this is not JSON: a comma or } is missing.'],
    ['{ "a" 1 }', 'it.json:1:7: this is not JSON: a colon is missing after "a".'],
    ['{ "a": 1, }', 'it.json:1:11: this is not JSON: a key in double quotes is missing.'],
    ["{ 'a': 1 }", 'it.json:1:3: this is not JSON: a key in double quotes is missing.'],
    ['[1, tru]', 'it.json:1:5: this is not JSON: no value begins here.'],
    ['[1', 'it.json:1:3: this is not JSON: a comma or ] is missing.'],
    ['', 'it.json:1:1: this is not JSON: the text ends here.'],
    ['{} {}', 'it.json:1:4: this is not JSON: nothing follows the value.'],
  ])('that is %j is refused with its place', (text, message) => {
    expect(() => parseJson(text, 'it.json')).toThrow(message);
  });

  it.each(['9007199254740993', '-12345678901234567.5', '1e400'])(
    'whose number %s would be another one is refused with its place',
    (number) => {
      const message = `it.json:1:9: ${number} would not keep its digits as a number: put it in double quotes.`;
      expect(() => parseJson(`{"id": [${number}]}`, 'it.json')).toThrow(message);
      expect(parseJson(`{"id": ["${number}"]}`, 'it.json')).toEqual({ id: [number] });
    },
  );

  it('may have a key in two objects', () => {
    expect(parseJson('[{ "a": 1 }, { "a": { "a": 2 } }]', 'it.json')).toEqual([{ a: 1 }, { a: { a: 2 } }]);
  });
});
