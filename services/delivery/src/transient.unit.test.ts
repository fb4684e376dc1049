import { describe, expect, it } from '@jest/globals';
import { CodedError } from '@stanza/contracts';
import { isTransient, isUnexpected, retryAfterMs } from './transient.ts';

describe('a coded error', () => {
  it.each([
    ['service_unavailable', true, false],
    ['rate_limited', true, false],
    ['chat_token_decrypt_failed', true, false],
    ['internal_error', false, true],
    ['credit_deduction_failed', false, true],
    ['template_not_found', false, false],
    ['delivery_outcome_unknown', false, false],
  ] as const)('is transient, unexpected or permanent: %s', (code, transient, unexpected) => {
    const error = new CodedError(code);
    expect([isTransient(error), isUnexpected(error)]).toEqual([transient, unexpected]);
  });

  it('is retried no sooner than it asks for, else after a bounded backoff', () => {
    expect(retryAfterMs(new CodedError('rate_limited', { retry_after: 60 }), 1)).toBe(60_000);
    expect(retryAfterMs(new CodedError('service_unavailable'), 100)).toBeLessThanOrEqual(12_000);
  });

  it('is retried sixty times in some ten minutes, soon at first', () => {
    const delays = Array.from({ length: 60 }, (_, index) =>
      retryAfterMs(new CodedError('service_unavailable'), index + 1),
    );
    expect(delays[0]).toBeLessThan(300);
    const minutes = delays.reduce((sum, delay) => sum + delay, 0) / 60_000;
    expect(minutes).toBeGreaterThan(8);
    expect(minutes).toBeLessThan(12);
  });
});
