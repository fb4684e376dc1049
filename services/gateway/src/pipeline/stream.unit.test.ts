import { describe, expect, it } from '@jest/globals';
import { CodedError, streamMessages } from '@stanza/contracts';
import { createLogger, RpcFailure } from '@stanza/runtime';
import { newRequestContext } from '../testing/request-context.ts';
import { unanswered } from './call.ts';
import { explaining } from './stream.ts';

describe('the error that ends a stream', () => {
  const told = (error: unknown) => {
    const lines: string[] = [];
    const destination = { write: (line: string) => void lines.push(line) };
    const log = createLogger({ name: 'gateway', level: 'warn', destination });
    const { fields } = explaining({ ...newRequestContext(streamMessages), log })(error);
    return { fields, logged: lines.map((line) => JSON.parse(line).msg) };
  };

  it('The error of a service that did not answer is logged, and the stream ends with its code', () => {
    const lost = unanswered(streamMessages, new RpcFailure('timeout', 'x', true));
    expect(told(lost)).toMatchObject({
      fields: { code: 'service_unavailable' },
      logged: ['request failed: a dependency is unavailable'],
    });
  });

  it('An unexpected error is logged, and the stream ends with `internal_error`', () => {
    expect(told(new RangeError('a bug'))).toMatchObject({
      fields: { code: 'internal_error' },
      logged: ['request failed'],
    });
  });

  it('The end of a caller who may no longer read is not logged', () => {
    expect(told(new CodedError('invalid_token'))).toMatchObject({
      fields: { code: 'invalid_token' },
      logged: [],
    });
  });
});
