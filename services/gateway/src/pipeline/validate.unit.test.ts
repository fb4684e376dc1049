import { describe, expect, it } from '@jest/globals';
import { CodedError, compileTemplate, type HttpOperation, listTemplates } from '@stanza/contracts';
import { readQuery } from '../http/read-query.ts';
import { newRequestContext } from '../testing/request-context.ts';
import { validate } from './validate.ts';

/** What a request with these keys is refused with. */
const errorOf = (operation: HttpOperation, query: object, keys: string[] = []): CodedError | undefined => {
  const sent: Record<string, string> = keys.length > 0 ? { 'idempotency-key': keys.join(', ') } : {};
  const requestContext = newRequestContext(operation, { sent });
  Object.defineProperties(requestContext.request, {
    params: { value: {} },
    query: { value: query },
    headersDistinct: { value: { 'idempotency-key': keys } },
  });
  try {
    validate(requestContext);
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
  return undefined;
};

/** The issues that a query of a list is refused with, as lines. */
const refusalOf = (query: object): string => errorOf(listTemplates, query)?.message ?? '';

describe('the validation of a query', () => {
  it('says that a parameter is given more than once', () => {
    expect(refusalOf({ limit: ['1', '2'], q: ['a', 'a'] })).toBe(
      'limit: is given more than once; q: is given more than once',
    );
  });

  it('says of an unknown parameter that it is unknown, however often it is given', () => {
    expect(refusalOf({ limt: ['1', '2'] })).toContain('limt: is not a key of this request');
  });

  it.each(['limit', 'offset'])('says by the code of an issue what is wrong with %s', (name) => {
    const codesOf = (value: string) =>
      errorOf(listTemplates, { [name]: value })?.facts.issues?.map(({ code }) => code);
    expect(['abc', '', '1.5', '-1', '99999999999'].map(codesOf)).toEqual([
      ['invalid_format'],
      ['invalid_format'],
      ['invalid_format'],
      ['too_small'],
      ['too_big'],
    ]);
  });

  it.each(['q=%ZZ', 'q=100%', 'q=%ff', 'q=%ED%A0%80', 'q=%C3&x=%A9'])('refuses the escapes of %s', (text) => {
    expect(() => readQuery(text)).toThrow('invalid percent escape; write a percent sign as %25');
  });

  it('reads escapes of UTF-8, and plus signs', () => {
    expect(readQuery('q=100%25+%C3%A9&q=')).toEqual({ q: ['100% é', ''] });
  });
});

describe('the validation of headers', () => {
  it('refuses two keys, which a proxy may send in either order', () => {
    const message = (...keys: string[]) => errorOf(compileTemplate, {}, keys)?.message;
    expect(message('a', 'b')).toContain('Idempotency-Key: is given more than once');
    expect(message('a')).not.toContain('Idempotency-Key');
  });
});
