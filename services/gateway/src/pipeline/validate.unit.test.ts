import { describe, expect, it } from '@jest/globals';
import { listTemplates } from '@stanza/contracts';
import { newRequestContext } from '../testing/request-context.ts';
import { validate } from './validate.ts';

/** The issues that a query of a list is refused with, as lines. */
const refusalOf = (query: object): string => {
  const requestContext = newRequestContext(listTemplates);
  Object.defineProperties(requestContext.request, { params: { value: {} }, query: { value: query } });
  try {
    validate(requestContext);
  } catch (error) {
    return Object(error).message;
  }
  return '';
};

describe('the validation of a query', () => {
  it('says that a parameter is given more than once', () => {
    expect(refusalOf({ limit: ['1', '2'], q: ['a', 'a'] })).toBe(
      'limit: is given more than once; q: is given more than once',
    );
  });

  it('says of an unknown parameter that it is unknown, however often it is given', () => {
    expect(refusalOf({ limt: ['1', '2'] })).toContain('limt: is not a key of this request');
  });
});
