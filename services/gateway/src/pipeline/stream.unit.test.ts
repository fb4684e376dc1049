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

  it('is logged where a service did not answer, and told with its code', () => {
    const lost = unanswered(streamMessages, new RpcFailure('timeout', 'x', true));
    expect(told(lost)).toMatchObject({
      fields: { code: 'service_unavailable' },
      logged: ['request failed: a dependency is unavailable'],
    });
  });

  it('is logged where it is unexpected, and told as that', () => {
    expect(told(new RangeError('a bug'))).toMatchObject({
      fields: { code: 'internal_error' },
      logged: ['request failed'],
    });
  });

  it('is not logged where the caller may no longer read', () => {
    expect(told(new CodedError('invalid_token'))).toMatchObject({
      fields: { code: 'invalid_token' },
      logged: [],
    });
  });
});
