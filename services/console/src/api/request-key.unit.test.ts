import { describe, expect, it } from '@jest/globals';
import { ApiError } from './request.ts';
import { RequestKey } from './request-key.ts';

const refused = (status: number, code: string, isReplayed = false): ApiError =>
  new ApiError(code, { status, code, isReplayed });

describe('the key of a request', () => {
  it.each([
    ['breaks on the way', refused(0, 'unreachable')],
    ['takes a service too long', refused(504, 'deadline_exceeded')],
    ['is given by a proxy', refused(502, 'internal_error')],
    ['is still to come', refused(409, 'idempotency_in_progress')],
    ['is that the session has ended', refused(401, 'unauthenticated')],
    ['is that there were too many', refused(429, 'rate_limited')],
  ])('A request keeps its key where the answer %s', (_, error) => {
    const key = new RequestKey();
    const first = key.of({ to: 'C1' });
    key.failed(error);
    expect(key.of({ to: 'C1' })).toBe(first);
  });

  it.each([
    ['refuses it', refused(402, 'insufficient_credits')],
    ['is the same as before', refused(500, 'internal_error', true)],
    ['is that the platform has lost its own', refused(502, 'delivery_outcome_unknown')],
  ])('A request has another key after an answer that %s', (_, error) => {
    const key = new RequestKey();
    const first = key.of({ to: 'C1' });
    key.failed(error);
    expect(key.of({ to: 'C1' })).not.toBe(first);
  });

  it('A request with other content, or after the end of one, has another key', () => {
    const key = new RequestKey();
    const keys = [key.of({ to: 'C1' }), key.of({ to: 'C2' }), key.of({ to: 'C1' })];
    key.end();
    expect(new Set([...keys, key.of({ to: 'C1' })]).size).toBe(4);
  });
});
