import { describe, expect, it } from '@jest/globals';
import {
  activateTemplateVersion,
  CodedError,
  updateMember,
  validateToken,
  validationFailed,
} from '@stanza/contracts';
import { toCodedError } from '@stanza/runtime';
import { somebody } from '@stanza/runtime/testing/rpc';
import { errorAnswer } from './answers.ts';

const bodyOf = (error: CodedError): unknown => JSON.parse(String(errorAnswer(error, 'r-1').body));

describe('an error answer', () => {
  it('is the error object: text, code, request id and where the code is explained, without empty fields', () => {
    expect(bodyOf(new CodedError('template_not_found', { message: 'No such template.' }))).toEqual({
      error: 'No such template.',
      code: 'template_not_found',
      request_id: 'r-1',
      docs: '/docs/errors#template_not_found',
    });
  });

  it('lists the issues of a failed validation, and repeats them in one line', () => {
    const error = validationFailed([
      { code: 'custom', path: ['a', 0], message: 'is odd' },
      { code: 'custom', path: ['b'], message: 'is even' },
    ]);
    expect(bodyOf(error)).toEqual({
      success: false,
      error: {
        issues: [
          { code: 'custom', path: ['a', 0], message: 'is odd' },
          { code: 'custom', path: ['b'], message: 'is even' },
        ],
        name: 'ValidationError',
      },
      message: 'a.0: is odd; b: is even',
      code: 'validation_failed',
      request_id: 'r-1',
      docs: '/docs/errors#validation_failed',
    });
  });

  it('has a retry time on 429 and 503, in whole seconds and at least one', () => {
    const answer = errorAnswer(new CodedError('rate_limited', { retry_after: 0.2 }), 'r');
    expect(answer.headers).toEqual({ 'Retry-After': '1' });
    expect(errorAnswer(new CodedError('service_unavailable'), 'r').headers).toEqual({ 'Retry-After': '1' });
  });

  it('reveals no detail of an unexpected error', () => {
    const coded = toCodedError(new Error('select * from secrets failed'));
    expect(JSON.stringify(bodyOf(coded))).not.toContain('secrets');
    expect(coded.status).toBe(500);
  });

  it('names the scope of the operation where a service refused for another reason', () => {
    const refusal = new CodedError('access_denied', { required_scopes: [], user_scopes: ['usage:read'] });
    const answer = errorAnswer(refusal, 'r', { operation: updateMember });
    expect(JSON.parse(String(answer.body))).toMatchObject({
      required_scopes: ['organizations:write'],
      user_scopes: ['usage:read'],
    });
  });

  it('A refusal by a policy names the scopes of the operation and of the caller', () => {
    const asked = { operation: activateTemplateVersion, principal: somebody };
    const answer = errorAnswer(new CodedError('activation_refused'), 'r', asked);
    expect(JSON.parse(String(answer.body))).toMatchObject({
      required_scopes: ['templates:activate'],
      user_scopes: somebody.scopes,
    });
  });

  it('says that the token is not valid where the operation answers validity', () => {
    const answer = errorAnswer(new CodedError('invalid_token'), 'r', { operation: validateToken });
    expect(JSON.parse(String(answer.body))).toMatchObject({ valid: false, code: 'invalid_token' });
    expect(answer.headers).toHaveProperty('WWW-Authenticate');
    const denied = errorAnswer(new CodedError('access_denied'), 'r', { operation: validateToken });
    expect(JSON.parse(String(denied.body))).toMatchObject({ valid: false });
  });

  it.each([
    'validation_failed',
    'rate_limited',
    'internal_error',
    'maintenance',
    'service_unavailable',
  ] as const)('says nothing about the token where the operation fails with %s', (code) => {
    const answer = errorAnswer(new CodedError(code), 'r', { operation: validateToken });
    expect(JSON.parse(String(answer.body))).not.toHaveProperty('valid');
  });
});
