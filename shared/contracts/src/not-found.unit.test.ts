import { describe, expect, it } from '@jest/globals';
import { errorTable } from './error-codes.ts';
import { notFound } from './not-found.ts';

describe('an id that names nothing', () => {
  it('has the code and the text of its kind, and status 404', () => {
    expect(notFound('template').toBody()).toEqual({
      code: 'template_not_found',
      message: errorTable.template_not_found.meaning,
    });
    expect(notFound('queue').toBody()).toEqual({ code: 'not_found', message: 'There is no such queue.' });
    expect(notFound('queue').status).toBe(404);
  });
});
